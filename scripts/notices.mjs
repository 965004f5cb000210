// Writes THIRD_PARTY_NOTICES: every package that the product is distributed with, its licence, and the texts that must go with it, from the lock
// file and what is installed. `--check` compares instead. Packages of one system differ by machine: they are listed, and their texts are those
// of the package that loads them.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const notices = join(root, 'THIRD_PARTY_NOTICES')

/** Licences of what is distributed; of two that a package offers one is enough, of two that hold together each counts. */
const allowed = new Set([
  'MIT',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'MIT-0',
  'CC0-1.0',
  'PostgreSQL',
  'OFL-1.1',
])
/** Also in tools that build and test. PSF-2.0 is that of one of them, which reads arguments as Python does. */
const allowedInTools = new Set([...allowed, 'MPL-2.0', 'PSF-2.0'])
/** A library in a file of its own that anybody may replace: sharp's libvips. */
const libvips = /^node_modules\/@img\/sharp-(libvips|win32|wasm)/

export function packagesIn(lock) {
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes('node_modules/') && !link)
    .map(([path, { version, license, dev, devOptional, os, cpu }]) => ({
      ...{ path, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version, license },
      ...{ isTool: Boolean(dev || devOptional), isOfOneSystem: Boolean(os || cpu) || libvips.test(path) },
    }))
}

/** Packages under a licence that is not among the allowed ones. */
export function foreignLicences(packages) {
  return packages
    .filter(({ path, license, isTool }) => !isAllowed(license ?? '', libvips.test(path), isTool ? allowedInTools : allowed))
    .map(({ name, version, license }) => `${name} ${version}: ${license ?? 'none'}`)
}

function isAllowed(expression, isLibvips, known) {
  const fits = (one) => known.has(one) || (isLibvips && one === 'LGPL-3.0-or-later')
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' AND ')
    .every((part) => part.split(' OR ').some(fits))
}

/** The whole text. @throws Error for a licence that is not allowed */
export function noticesOf(packages) {
  const foreign = foreignLicences(packages)
  if (foreign.length > 0) throw new Error(`licences that are not allowed:\n${foreign.join('\n')}`)
  const shipped = packages.filter(({ isTool }) => !isTool).toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const list = unique(shipped.map(({ name, version, license }) => `${name} ${version} (${license})`))
  const byText = new Map()
  for (const each of shipped.filter(({ isOfOneSystem }) => !isOfOneSystem)) {
    for (const text of textsOf(each)) byText.set(text, unique([...(byText.get(text) ?? []), `${each.name} ${each.version}`]))
  }
  for (const file of ['LGPL-3.0.txt', 'GPL-3.0.txt']) {
    byText.set(clean(readFileSync(join(root, 'licences', file), 'utf8')), ['libvips and what it is built with, in @img/sharp-libvips-*'])
  }
  const parts = [...byText].map(([text, names]) => `${'='.repeat(80)}\n${names.join('\n')}\n${'-'.repeat(80)}\n${text}`)
  return `Convexa is distributed with the following packages of others. Written by \`npm run notices\`; what is edited here is lost.

Packages for one system (Node, PostgreSQL, sharp with libvips, argon2) are distributed only with the bundle for that system. libvips is a
library in a file of its own under the LGPL; it may be replaced by another build of it.

${list.join('\n')}

${parts.join('\n')}`
}

const unique = (texts) => [...new Set(texts)]

/** LICENSE, NOTICE and the like of an installed package. */
function textsOf({ path }) {
  const folder = join(root, path)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying|copyright)([.-]|$)/i.test(file) && !/\.(js|ts|json)$/.test(file))
    .sort()
    .map((file) => clean(readFileSync(join(folder, file), 'utf8')))
}

const clean = (text) =>
  `${text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .trim()}\n`

if (process.argv[1] && fileURLToPath(import.meta.url) === process.argv[1]) {
  const text = noticesOf(packagesIn(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))))
  if (!process.argv.includes('--check')) writeFileSync(notices, text)
  else if (readFileSync(notices, 'utf8') !== text) {
    console.error('THIRD_PARTY_NOTICES differs from what is installed: npm run notices')
    process.exitCode = 1
  }
}

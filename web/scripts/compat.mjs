// Holds the built files, dependencies included, against the browsers of targets.ts. After a build: `node_modules/.bin/node
// web/scripts/compat.mjs` prints what nothing guards, then the guarded with why. It sees names: what depends on a value or an option (`signDisplay`) is for start.js to try.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { filled, guardedNames, guardOf } from './compat/guarded.mjs'
import { youngInScript } from './compat/script.mjs'
import { youngInStyle } from './compat/style.mjs'

const assets = new URL('../dist/assets/', import.meta.url)
export const built = existsSync(assets)

/**
 * Every young feature of the built files as {name, lacks, files, guard, why}, by name; guard and why are null where nothing guards it.
 * `unfilled`: what a worker uses and does not bring: a worker has globals of its own. `idle`: guards of what is no longer found.
 */
export function measure(files = builtFiles()) {
  const found = new Map()
  const unfilled = []
  const workers = new Set(Object.values(files).flatMap(workersIn))
  for (const [file, text] of Object.entries(files)) {
    for (const [name, lacks] of youngIn(file, text)) {
      const row = found.get(name) ?? { name, lacks, files: [], guard: null, why: null, ...guardOf(name) }
      row.files.push(file)
      found.set(name, row)
      if (workers.has(file) && filled.includes(name) && !brings(text, name)) unfilled.push(`${file}: ${name}`)
    }
  }
  const rows = [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  const used = new Set(rows.map(({ guard }) => guard))
  return { rows, unfilled, idle: guardedNames.filter((name) => !used.has(name)) }
}

const builtFiles = () =>
  Object.fromEntries(
    readdirSync(assets)
      .filter((file) => /\.(js|css)$/.test(file))
      .map((file) => [file, readFileSync(new URL(file, assets), 'utf8')]),
  )

function youngIn(file, text) {
  try {
    return file.endsWith('.css') ? youngInStyle(text) : youngInScript(text)
  } catch (error) {
    throw new Error(`${file}: ${error.message}`)
  }
}

/** The worker has the part of polyfills.ts that puts this in: the method's name as a key or a word of its own, not only as a call. */
function brings(text, name) {
  const method = name.replace(/^.*\.|\(\)$/g, '')
  return filled.includes(name) && new RegExp(`(?<![.\\w])${method}\\(|[\`"']${method}[\`"']`).test(text)
}

/** Files that a script starts as workers. */
const workersIn = (text) => [...text.matchAll(/new (?:Shared)?Worker\([^)]*?([\w-]+\.js)[`"']/g)].map(([, file]) => file)

export const lineOf = ({ name, lacks, files, why }) =>
  `${why === null ? 'YOUNG' : 'ok   '} ${name.padEnd(32)} ${why ?? `${lacks.join(', ')} (${files.join(' ')})`}`

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { rows, unfilled, idle } = measure()
  for (const row of rows.toSorted((a, b) => Number(a.why !== null) - Number(b.why !== null))) console.log(lineOf(row))
  for (const one of unfilled) console.log(`YOUNG ${one}, which the worker does not bring`)
  for (const name of idle) console.log(`IDLE  ${name} is found nowhere: take it out of guarded.mjs`)
  process.exitCode = unfilled.length + idle.length > 0 || rows.some(({ why }) => why === null) ? 1 : 0
}

// Holds the built files, dependencies included, against the browsers of targets.ts. After a build: `node web/scripts/compat.mjs`.
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { youngInScript } from './compat/script.mjs'
import { youngInStyle } from './compat/style.mjs'

const assets = new URL('../dist/assets/', import.meta.url)

/** Every young feature of every built file: [{name, lacks, files}]. */
export function youngInBuild() {
  const found = new Map()
  for (const file of readdirSync(assets)) {
    const young = file.endsWith('.js') ? youngInScript : file.endsWith('.css') ? youngInStyle : null
    for (const [name, lacks] of young?.(readFileSync(new URL(file, assets), 'utf8')) ?? []) {
      const row = found.get(name) ?? { name, lacks, files: [] }
      row.files.push(file)
      found.set(name, row)
    }
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const { name, lacks, files } of youngInBuild())
    console.log(`${name.padEnd(34)} ${lacks.join(', ')}  ${files.length} ${files.slice(0, 3).join(' ')}`)

// The files that the checks read, as text and as facts. Each file is read and parsed at most once, whatever the number of checks.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from './facts.mjs'

const places =
  /^(?:\.env\.example|[^/]+\.md|(?:contract|engine|server|web|bench|e2e|canaries|scripts|decisions|docs)\/.*\.(?:tsx?|mjs|css|md)|qmt-(?:client|bridge)\/.*\.py)$/
const left = new Set(['node_modules', 'artefacts', 'golden', '.git', '.tsc', '.store', '.old-browsers', 'data', '__pycache__'])

/**
 * @param {Map<string, string | (() => string)>} files text by path from the root, with `/`
 */
export function treeOf(files) {
  const texts = new Map()
  const facts = new Map()
  const paths = [...files.keys()].sort()
  const kept = (map, path, make) => {
    if (!map.has(path)) map.set(path, make())
    return map.get(path)
  }
  const textOf = (path) =>
    kept(texts, path, () => {
      const text = files.get(path)
      return typeof text === 'function' ? text() : text
    })
  return {
    paths,
    has: (path) => files.has(path),
    textOf,
    /** Of a TypeScript file or a script (facts.mjs). */
    factsOf: (path) => kept(facts, path, () => factsOf(path, textOf(path))),
  }
}

/** The tree below a folder. What is built, installed or recorded is left out. */
export function readTree(root) {
  const files = new Map()
  const walk = (folder) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (!left.has(entry.name) && !/^dist(\.|$)/.test(entry.name)) walk(path)
      } else if (places.test(path)) files.set(path, () => readFileSync(join(root, path), 'utf8'))
    }
  }
  walk('')
  return treeOf(files)
}

// The files that the checks read, as text and as facts. Each file is read and parsed at most once, whatever the number of checks.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsOf } from './facts.mjs'

const places =
  /^(?:\.env\.example|[^/]+\.md|(?:contract|engine|server|web|bench|e2e|canaries|scripts|decisions|docs)\/.*\.(?:tsx?|mjs|css|md))$/
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

export const packages = ['contract', 'engine', 'server', 'web']
export const packageOf = (path) => path.slice(0, path.indexOf('/'))
export const folderOf = (path) => path.slice(0, path.lastIndexOf('/'))
export const nameOf = (path) => path.slice(path.lastIndexOf('/') + 1)
export const isCode = (path) => /\.(tsx?|mjs)$/.test(path)
export const isTest = (path) => /\.test\.tsx?$/.test(path) || /^(?:[^/]+\/test|e2e\/journeys|canaries)\//.test(path)
/** TypeScript of one of the four packages that is not a test. */
export const isSource = (path) => /^(contract|engine|server|web)\/src\/.*\.tsx?$/.test(path) && !isTest(path)
/** The page of all parts, for developers only. */
export const isStyleguide = (path) => /^web\/(src\/)?styleguide\//.test(path)
/** Lines as an editor counts them. */
export const linesIn = (text) => (text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0))
/** The line of an offset, from 1. */
export const lineAt = (text, offset) => text.slice(0, offset).split('\n').length

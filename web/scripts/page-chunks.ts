import { createHash } from 'node:crypto'
import { framesOf, pages } from './page-loads.ts'

/** Of what the bundler knows of a module: what it imports, and whether it is loaded by itself. */
export interface ModuleFacts {
  readonly isEntry: boolean
  readonly importedIds: readonly string[]
  readonly dynamicImporters: readonly string[]
}
type FactsOf = (id: string) => ModuleFacts | null

/**
 * Puts modules that the same pages need into one chunk. By itself the bundler tells apart which of a hundred dialogs and parts need a module,
 * which made 140 scripts for one page. No page loads more than it needs: a module is needed by all pages that need its importers, so
 * these chunks import one another in one direction only.
 * @param folder the web app's, with which the ids of modules begin
 */
export function pageChunks(folder: string) {
  const root = folder.replaceAll('\\', '/')
  let needs: ReadonlyMap<string, string> | null = null
  const isSource = (id: string) => id.startsWith(`${root}/src/`)
  const nameOf = (id: string, context: { getModuleInfo: FactsOf }): string | null => {
    needs ??= neededBy(loadsOf(root), (each) => context.getModuleInfo(each))
    const info = context.getModuleInfo(id)
    // What is loaded by itself keeps its own chunk, with its name in the manifest.
    return info && !info.isEntry && info.dynamicImporters.length === 0 ? (needs.get(id) ?? null) : null
  }
  return [
    { name: 'start', tags: ['$initial' as const], test: (id: string) => !isBegin(id), priority: 2 },
    // Of a package a page needs less than its modules import: what is not used is left out later.
    {
      name: nameOf,
      debugName: 'pages',
      test: (id: string) => isSource(id) && !isBegin(id),
      priority: 1,
      includeDependenciesRecursively: false,
    },
  ]
}

const begin = 'src/main.tsx'
const isBegin = (id: string) => id.includes('/index.html') || id.endsWith(`/${begin}`)

/** Each page with its frames, as ids of modules. */
const loadsOf = (root: string): ReadonlyMap<string, readonly string[]> =>
  new Map(pages.map((page) => [page, [begin, ...framesOf(page), page].map((file) => `${root}/${file}`)]))

/** For each module that some page needs before it can run the name of the chunk of all that the same pages need. */
export function neededBy(loads: ReadonlyMap<string, readonly string[]>, factsOf: FactsOf): ReadonlyMap<string, string> {
  const by = new Map<string, string[]>()
  for (const [page, begin] of loads) {
    const seen = new Set(begin)
    for (const id of seen) for (const each of factsOf(id)?.importedIds ?? []) seen.add(each)
    for (const id of seen) by.set(id, [...(by.get(id) ?? []), page])
  }
  return new Map([...by].map(([id, some]) => [id, `pages-${createHash('sha256').update(some.join()).digest('hex').slice(0, 6)}`]))
}

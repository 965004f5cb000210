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
 * these chunks import one another in one direction only (`chunk-cycles.ts` ends a build where they do not).
 * @param folder the web app's, with which the ids of modules begin
 */
export function pageChunks(folder: string) {
  const root = folder.replaceAll('\\', '/')
  let needs: ReadonlyMap<string, string> | null = null
  const isSource = (id: string) => id.startsWith(`${root}/src/`)
  const nameOf = (id: string, context: { getModuleInfo: FactsOf }): string | null => {
    needs ??= neededBy(loadsOf(root), (each) => context.getModuleInfo(each), isSource)
    return needs.get(id) ?? null
  }
  const byPages = (test: (id: string) => boolean, debugName: string) => ({
    ...{ name: nameOf, debugName, priority: 1, includeDependenciesRecursively: false },
    test: (id: string) => test(id) && !isBegin(id),
  })
  return [
    { name: 'start', tags: ['$initial' as const], test: (id: string) => !isBegin(id), priority: 2 },
    byPages(isSource, 'pages'),
    // Of packages a page needs less than its modules import: what is not used is left out later, so these go by what is used. By itself the
    // bundler puts what a single page uses into that page's own chunk, from which the chunk of its parts would import it.
    { ...byPages((id) => !isSource(id), 'shared'), entriesAware: true },
  ]
}

const begin = 'src/main.tsx'
const isBegin = (id: string) => id.includes('/index.html') || id.endsWith(`/${begin}`)

/** Each page with its frames, as ids of modules. */
const loadsOf = (root: string): ReadonlyMap<string, readonly string[]> =>
  new Map(pages.map((page) => [page, [begin, ...framesOf(page), page].map((file) => `${root}/${file}`)]))

/**
 * For each module that some page needs before it can run the name of its chunk: for a source that of all sources that the same pages need,
 * for others `shared`. What is loaded by itself has no name here: it keeps its own chunk, with its name in the manifest. Where it is imported as well, what it imports must not share a
 * chunk with what imports it: chunks that import one another run in the order in which they happen to come.
 */
export function neededBy(
  loads: ReadonlyMap<string, readonly string[]>,
  factsOf: FactsOf,
  isSource: (id: string) => boolean,
): ReadonlyMap<string, string> {
  const importsOf = (id: string) => factsOf(id)?.importedIds ?? []
  const closure = (ids: Iterable<string>) => {
    const seen = new Set(ids)
    for (const id of seen) for (const each of importsOf(id)) seen.add(each)
    return seen
  }
  const by = new Map<string, string[]>()
  const need = (ids: Iterable<string>, name: string) => {
    for (const id of ids) by.set(id, [...(by.get(id) ?? []), name])
  }
  for (const [page, begin] of loads) need(closure(begin), page)
  const isLoadedItself = (id: string) => factsOf(id)?.isEntry || (factsOf(id)?.dynamicImporters.length ?? 0) > 0
  const isNamed = (id: string) => isSource(id) && !isLoadedItself(id)
  const nameOf = (id: string) => by.get(id)?.join()
  for (const between of [...by.keys()].filter((id) => isSource(id) && isLoadedItself(id))) {
    const below = closure(importsOf(between))
    const names = new Set([...below].filter(isNamed).map(nameOf))
    const above = [...by.keys()].filter((id) => isNamed(id) && closure([id]).has(between))
    if (above.some((id) => names.has(nameOf(id)))) need(below, between)
  }
  const short = (name: string) => `pages-${createHash('sha256').update(name).digest('hex').slice(0, 6)}`
  const named = [...by.keys()].filter((id) => !isLoadedItself(id))
  return new Map(named.map((id) => [id, isSource(id) ? short(nameOf(id) ?? '') : 'shared']))
}

import type { Plugin } from 'vite'

/**
 * A dynamic import carries the names of all files that its chunk needs, so that they are fetched at once. This leaves out the scripts that are
 * surely there when the importing chunk runs: what it imports statically, and what every way to it has loaded before. Style sheets stay: they
 * are fetched by the list alone, and a browser may keep a chunk of an earlier build under whose pages less was loaded. A script that is left
 * out wrongly is fetched by the import itself, later.
 */
export function preloadLists(): Plugin {
  let there: ReadonlyMap<string, ReadonlySet<string>> = new Map()
  return {
    name: 'preload-lists',
    apply: 'build',
    enforce: 'pre',
    config: () => ({
      build: {
        modulePreload: {
          polyfill: false,
          resolveDependencies: (_, files, { hostId, hostType }) => {
            const known = hostType === 'js' ? there.get(hostId) : undefined
            return known ? files.filter((file) => file.endsWith('.css') || !known.has(file)) : files
          },
        },
      },
    }),
    generateBundle(_, bundle) {
      there = surelyLoaded(
        Object.values(bundle).flatMap((chunk) =>
          chunk.type !== 'chunk'
            ? []
            : [
                {
                  file: chunk.fileName,
                  isEntry: chunk.isEntry,
                  imports: chunk.imports,
                  dynamicImports: chunk.dynamicImports,
                },
              ],
        ),
      )
    },
  }
}

interface BuiltChunk {
  readonly file: string
  readonly isEntry: boolean
  readonly imports: readonly string[]
  readonly dynamicImports: readonly string[]
}

/** For each chunk the files that are loaded when it runs, whichever way led to it. */
export function surelyLoaded(chunks: readonly BuiltChunk[]): ReadonlyMap<string, ReadonlySet<string>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.file, chunk]))
  const own = new Map(chunks.map(({ file }) => [file, closureOf(file, byFile)]))
  const loaded = new Map<string, ReadonlySet<string>>()
  const begin = chunks.filter(({ isEntry }) => isEntry).map(({ file }) => file)
  for (const file of begin) loaded.set(file, own.get(file)!)
  // A set only shrinks once it is there, so this ends.
  for (let changed = begin; changed.length > 0; ) {
    const next = new Set<string>()
    for (const file of changed) {
      const before = loaded.get(file)!
      for (const each of own.get(file)!) {
        for (const target of [each, ...(byFile.get(each)?.dynamicImports ?? [])]) {
          const fresh = new Set([...before, ...(own.get(target) ?? [])])
          const known = loaded.get(target)
          const both = known ? new Set([...known].filter((one) => fresh.has(one))) : fresh
          if (known && both.size === known.size) continue
          if (!byFile.has(target)) continue
          loaded.set(target, both)
          next.add(target)
        }
      }
    }
    changed = [...next]
  }
  return loaded
}

function closureOf(file: string, chunks: ReadonlyMap<string, BuiltChunk>, found = new Set<string>()): Set<string> {
  const chunk = chunks.get(file)
  if (!chunk || found.has(file)) return found
  found.add(file)
  for (const each of chunk.imports) closureOf(each, chunks, found)
  return found
}

/** Of a chunk: the files that it imports before it runs. */
type Imports = Readonly<Record<string, readonly string[]>>

/**
 * The chunks that import one another in a circle, as the path of one circle, or null where there is none. Their order then depends on which
 * of them happens to be imported first, and one may read a constant of another that has not run.
 */
export function chunkCycle(imports: Imports): readonly string[] | null {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): readonly string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
    if (done.has(file)) return null
    for (const each of imports[file] ?? []) {
      const cycle = visit(each, [...path, file])
      if (cycle) return cycle
    }
    done.add(file)
    return null
  }
  for (const file of Object.keys(imports)) {
    const cycle = visit(file, [])
    if (cycle) return cycle
  }
  return null
}

/** Ends a build whose chunks import one another in a circle. */
export const noChunkCycles = () => ({
  name: 'no-chunk-cycles',
  generateBundle(_options: unknown, bundle: Readonly<Record<string, { type: string; imports?: string[] }>>) {
    const cycle = chunkCycle(Object.fromEntries(Object.entries(bundle).map(([file, { imports }]) => [file, imports ?? []])))
    if (cycle) throw new Error(`chunks import one another in a circle: ${cycle.join(' → ')} (scripts/page-chunks.ts)`)
  },
})

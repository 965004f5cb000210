import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

/** Files that a file reads from beside it, types too. */
type Reads = ReadonlyMap<string, readonly string[]>

/** The first way that leads back to where it began; null when there is none. */
function cycleIn(reads: Reads): readonly string[] | null {
  const done = new Set<string>()
  const walk = (file: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
    if (done.has(file)) return null
    for (const next of reads.get(file) ?? []) {
      const found = walk(next, [...way, file])
      if (found) return found
    }
    done.add(file)
    return null
  }
  for (const file of reads.keys()) {
    const found = walk(file, [])
    if (found) return found
  }
  return null
}

function readsIn(folder: string): Reads {
  const files = globSync('**/*.ts', { cwd: join(root, folder) }).filter((file) => !file.endsWith('.test.ts'))
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, folder, file), 'utf8')
      return [file, [...text.matchAll(/from '(\.[^']+)'/g)].map(([, path]) => join(file, '..', path!))]
    }),
  )
}

test('a way back is found', () => {
  const reads = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ])
  expect(cycleIn(reads)).toEqual(['b', 'd', 'b'])
  expect(cycleIn(new Map([...reads, ['d', ['c']]]))).toBeNull()
})

test('no file of the engine leads back to itself, in types neither', () => {
  const reads = readsIn('engine/src')
  expect(reads.size).toBeGreaterThan(100)
  expect(cycleIn(reads)).toBeNull()
})

import type { ObjectStore } from './object-store.ts'

const storeOps = ['put', 'get', 'head', 'remove'] as const
type StoreOp = (typeof storeOps)[number]

/** Of one operation since the process began: how often, seconds altogether (of a get until its answer begins), how often it failed. */
export interface StoreFigures {
  count: number
  seconds: number
  errors: number
}

const figures = new Map<StoreOp, StoreFigures>(storeOps.map((op) => [op, { count: 0, seconds: 0, errors: 0 }]))

/** What the stores of this process were asked, by operation; operations that were never asked are left out. */
export const storeFigures = (): Record<string, StoreFigures> => Object.fromEntries([...figures].filter(([, { count }]) => count > 0))

/** A store whose operations are counted. What is not there is no failure. */
export function counted(objects: ObjectStore): ObjectStore {
  const counting =
    <Given extends readonly unknown[], Done>(op: StoreOp, work: (...given: Given) => Promise<Done>) =>
    async (...given: Given): Promise<Done> => {
      const of = figures.get(op)!
      const began = performance.now()
      of.count++
      try {
        return await work(...given)
      } catch (error) {
        of.errors++
        throw error
      } finally {
        of.seconds += (performance.now() - began) / 1_000
      }
    }
  return {
    ...objects,
    put: counting('put', objects.put),
    get: counting('get', objects.get),
    head: counting('head', objects.head),
    remove: counting('remove', objects.remove),
  }
}

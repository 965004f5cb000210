import type { SimulatedRun } from '@convexa/engine'
import { expect, test } from 'vitest'
import { KeptRuns } from './kept-runs.ts'

const released: string[] = []
const kept = (name: string, bytes: number) => ({
  run: { bytes, release: () => void released.push(name) } as unknown as SimulatedRun,
  ledger: Buffer.alloc(32),
})

test('the longest unused runs are released when they are too much, after the work and not on its way', () => {
  released.length = 0
  const runs = new KeptRuns(100)
  for (const name of ['a', 'b', 'c']) runs.keep(name, 'market', kept(name, 40))
  expect(runs.get('a')).toBeDefined()
  expect(released).toEqual([])
  runs.settle()
  expect(released).toEqual(['b'])
  runs.keep('huge', 'market', kept('huge', 1_000))
  expect(runs.get('huge')).toBeDefined()
  runs.settle()
  expect(released).toEqual(['b', 'c', 'a', 'huge'])
})

test('runs on a panel go with it; one that is computed again takes the place of the one before', () => {
  released.length = 0
  const runs = new KeptRuns(1_000)
  runs.keep('a', 'bonds', kept('first', 1))
  runs.keep('a', 'bonds', kept('second', 1))
  runs.keep('b', 'stocks', kept('b', 1))
  expect(released).toEqual(['first'])
  runs.forget('bonds')
  expect(released).toEqual(['first', 'second'])
  expect([runs.get('a'), runs.get('b')?.run.bytes]).toEqual([undefined, 1])
})

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { all, six } from './alphas/formulas.ts'
import { measure } from './alphas/measure.ts'
import { stepsOf } from './alphas/steps.ts'
import { compareCells, equalityText, isEqual } from './equal.ts'
import { type Input, moveOneDay, readInput, readPanel, walked, writeInput } from './inputs.ts'
import { python } from './peers.ts'
import { changes, factors, recipe } from './screen/recipes.ts'

// Nothing is timed here: what the benchmark does is tried on a market of 30 days and 20 stocks, so that it cannot rot unseen.

const pandas = await python(['numpy', 'pandas'])
let folder: string
let input: Input

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'convexa-bench-test-'))
  await writeInput(join(folder, 'walk'), 'walk', 'twenty stocks', walked(30, 20))
  input = await readInput(join(folder, 'walk'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it('a panel is read as it was written, and a day that was moved is put back', async () => {
  const panel = await readPanel(input.folder)
  const close = panel.columns.get('close')!
  const whole = close.slice()
  expect([panel.dates.length, panel.securities.length]).toEqual([30, 20])
  expect(Array.from(close.subarray(0, 20))).toEqual(Array.from(walked(30, 20).columns.close!.subarray(0, 20)))
  const putBack = moveOneDay(panel, 3)
  expect(close).not.toEqual(whole)
  putBack()
  expect(close).toEqual(whole)
})

it('every alpha is a program of steps, each after those that it reads', () => {
  for (const alpha of all) {
    stepsOf(alpha).forEach(({ args }, place) => {
      for (const arg of args) expect(arg).toBeLessThan(place)
    })
  }
  expect(stepsOf(101).map((step) => step.do)).toEqual(['field', 'field', '-', 'field', 'field', '-', 'number', '+', '/'])
})

it.each([
  { ours: [1, Number.NaN], theirs: [1 + 1e-12, Number.NaN], text: 'all cells' },
  { ours: [1, 2], theirs: [1.1, 2], text: '50.00 % (1 apart, 0 in one only)' },
  { ours: [1, Number.NaN], theirs: [1, 2], text: '50.00 % (0 apart, 1 in one only)' },
])('$ours against $theirs: $text', ({ ours, theirs, text }) => {
  expect(equalityText(compareCells(Float64Array.from(ours), Float64Array.from(theirs)))).toBe(text)
})

it('each turn of a screen is another recipe', () => {
  for (const change of changes) {
    const [one, two] = [recipe(change, 1), recipe(change, 2)]
    expect(one.filter_factors.length).toBe(2 * factors.length)
    expect(change === 'all again' || JSON.stringify(one) !== JSON.stringify(two)).toBe(true)
    expect(one.rank_factors.filter(({ enable }) => enable).length).toBe(change === '3 of 10 factors ticked' ? 3 : 10)
  }
})

describe('alphas, turn by turn', () => {
  it('ours alone', async () => {
    const { sides, limit } = await measure(input, [12, 101], [], () => 1)
    expect([...sides.keys()]).toEqual(['ours'])
    expect(sides.get('ours')!.get(101)!.warm.count).toBe(1)
    expect(limit).toBeGreaterThan(0)
  })

  it.skipIf('why' in pandas)(
    `pandas gives the same cells${'why' in pandas ? ` (skipped: ${pandas.why})` : ''}`,
    async () => {
      const { sides, why } = await measure(input, six, ['pandas'], () => 1)
      expect(why).toEqual([])
      expect(six.filter((alpha) => !isEqual(sides.get('pandas')!.get(alpha)!.equality!))).toEqual([])
    },
    120_000,
  )
})

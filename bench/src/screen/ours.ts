/** `node ours.ts`: screens of one day, asked one by one (worker.ts). */
import { markets, type Panel, screen } from '@convexa/engine'
import { randomCells } from '../inputs.ts'
import { timed } from '../times.ts'
import { serve } from '../worker.ts'
import { type Change, factors, recipe } from './recipes.ts'

const securities = 5500
const panel = market()

await serve<{ readonly change: Change; readonly turn: number; readonly rows: boolean }>({}, ({ change, turn, rows }) => {
  if (change === 'all again') moveAll(turn)
  const parameters = recipe(change, turn)
  const need = rows ? (['list', 'reserve', 'funnel'] as const) : (['funnel'] as const)
  const [run, outcome] = timed(() => screen(panel, markets.stk, { parameters, day: 0, need }))
  if (!outcome.ok) throw new Error(outcome.problem.message)
  const { total, selected, list_items } = outcome.result
  return { ...run, total, selected, first: list_items.slice(0, 20).map(({ code }) => code) }
})

/** One day, the ten factors in [0, 1) with gaps, each by a seed of its own. */
function market(): Panel {
  const one = randomCells(1, securities)
  const columns = new Map<string, Float64Array>()
  factors.forEach((key, f) => {
    const column = new Float64Array(new SharedArrayBuffer(one.stride * 8)).fill(Number.NaN)
    for (let i = 0; i < securities; i++) column[i] = (((i + 1) * (7919 + 104_729 * f)) % 1_000_003) / 1_000_003
    for (let i = f; i < securities; i += 211) column[i] = Number.NaN
    columns.set(key, column)
  })
  return { ...one, columns }
}

/** Another market than before, by a hair; only `close`'s order moves really. */
function moveAll(turn: number): void {
  for (const column of panel.columns.values()) for (let i = 0; i < securities; i++) column[i]! *= 1 + 1e-12
  const close = panel.columns.get('close')!
  for (let i = turn % 7; i < securities; i += 7) close[i]! *= 1 - 1e-6
}

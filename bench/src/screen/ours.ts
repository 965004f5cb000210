/** `node ours.ts`: a screen that stays on one day, asked again and again (worker.ts). */
import { answerOf, markets, type Panel, StandingScreen, sectionsOf } from '@convexa/engine'
import { randomCells } from '../inputs.ts'
import { timed } from '../times.ts'
import { serve } from '../worker.ts'
import { type Change, factors, recipe } from './recipes.ts'

const securities = 5500
const panel = market()
const standing = new StandingScreen(markets.stk)
let section = sectionsOf(panel, 0)

await serve<{ readonly change: Change; readonly turn: number; readonly rows: boolean }>({}, ({ change, turn, rows }) => {
  if (change === 'all again') {
    moveAll(turn)
    section = sectionsOf(panel, 0)
    // The values are at hand; that they are in order is not.
    for (const key of factors) {
      const found = section(markets.stk).factor(key)
      if (found.ok) found.factor.column()
    }
  }
  const parameters = recipe(change, turn)
  const need = rows ? (['list', 'reserve', 'funnel'] as const) : (['funnel'] as const)
  const [run, { total, selected, list_items }] = timed(() => {
    const outcome = standing.screen(section(markets.stk), parameters)
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return answerOf(outcome.parts, need)
  })
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

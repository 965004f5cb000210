/** `node ours.ts`: screens of one day, asked one by one (worker.ts). */
import { type CrossSection, IncrementalScreen, markets, type Panel, screen, sectionsOf } from '@convexa/engine'
import { randomCells } from '../inputs.ts'
import { timed } from '../times.ts'
import { serve } from '../worker.ts'
import { type Change, factors, recipe } from './recipes.ts'

const securities = 5500
const market = markets.stk
let panel = someMarket()
let section: CrossSection = sectionsOf(panel, 0)(market)
const standing = new IncrementalScreen(market)

/** `scratch`: nothing is kept between two screens; `standing`: what an edit does not touch is. `rows`: how many rows of the answer are made. */
export interface Question {
  readonly way: 'scratch' | 'standing'
  readonly change: Change
  readonly turn: number
  readonly rows: number
}

await serve<Question>({}, ({ way, change, turn, rows }) => {
  const parameters = recipe(change, turn)
  if (change === 'all again') {
    panel = moved(panel, turn)
    section = sectionsOf(panel, 0)(market)
    // The values are at hand, as they are from scratch; that they are in order is not.
    for (const key of factors) valuesOf(key)
  }
  if (way === 'scratch') {
    const need = rows > 0 ? (['list', 'funnel'] as const) : (['funnel'] as const)
    const [run, outcome] = timed(() => screen(panel, market, { parameters, day: 0, need }))
    if (!outcome.ok) throw new Error(outcome.problem.message)
    return { ...run, total: outcome.result.total }
  }
  const [run, parts] = timed(() => {
    const told = standing.screen(section, parameters)
    if (!told.ok) throw new Error(told.problem.message)
    told.parts.funnel()
    for (let place = 1; place <= Math.min(rows, told.parts.size); place++) told.parts.row(told.parts.at(place))
    return told.parts
  })
  const whole = screen(panel, market, { parameters, day: 0, need: ['list'] })
  const expected = whole.ok ? whole.result.list_items.filter(({ selected }) => selected).map(({ code }) => code) : []
  const chosen = parts.selection.map((i) => panel.securities[i]!.code)
  if (chosen.toSorted().join() !== expected.toSorted().join())
    throw new Error(`another selection than from scratch: ${chosen} / ${expected}`)
  return { ...run, total: parts.size }
})

function valuesOf(key: string): Float64Array {
  const found = section.factor(key)
  if (!found.ok) throw new Error(found.problem.message)
  return found.factor.column()
}

/** One day, the ten factors in [0, 1) with gaps, each by a seed of its own. */
function someMarket(): Panel {
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

/** Another day: every value is another, and every seventh security changes places. */
function moved(before: Panel, turn: number): Panel {
  const columns = new Map<string, Float64Array>()
  for (const [key, column] of before.columns) {
    const next = new Float64Array(new SharedArrayBuffer(column.byteLength))
    for (let i = 0; i < column.length; i++) next[i] = column[i]! * (i % 7 === turn % 7 ? 1 - 1e-5 : 1 + 1e-12)
    columns.set(key, next)
  }
  return { ...before, columns }
}

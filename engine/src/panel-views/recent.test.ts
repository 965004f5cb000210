import { expect, test } from 'vitest'
import { chance } from '../../test/fixtures/chance.ts'
import { randomFormula, textOf } from '../../test/fixtures/random-formula.ts'
import { randomPanel } from '../../test/fixtures/random-panel.ts'
import { compiled } from '../../test/fuzz/compare-formulas.ts'
import { evaluate, functionTable } from '../expression/index.ts'
import { panelFrom, panelOf, reachBack, recentDays } from './recent.ts'

const available = new Set(randomPanel(1).columns.keys())

test('a value is the same to the last bit on a panel that begins no later than its lookback', () => {
  const luck = chance(7)
  const panels = Array.from({ length: 6 }, (_, k) => randomPanel(k + 1))
  let shortened = 0
  for (let k = 0; k < 1_500; k++) {
    const panel = luck.pick(panels)
    const text = textOf(randomFormula(luck, 1 + luck.below(3), functionTable), luck)
    const expression = compiled(text)
    const last = panel.dates.length - 1
    const back = reachBack([expression], available)
    if (back === null || back >= last) continue
    const part = panelFrom(panel, last - back)
    expect(evaluate(expression, part, [back]), text).toEqual(evaluate(expression, panel, [last]))
    shortened++
  }
  expect(shortened).toBeGreaterThan(300)
})

test.each([
  ['ts_mean(close, 20)', 19],
  ['ema(close, 20)', null],
  ["tdays_since('list_date')", null],
  // Counted day by day, where the data do not bring them.
  ['redeem_count', null],
])('%s looks back %s days', (text, days) => {
  const known = compiled('close')
  const expression = text === 'redeem_count' ? { ...known, needs: { ...known.needs, fields: new Set([text]) } } : compiled(text)
  expect(reachBack([expression], available)).toBe(days)
  const short = { ...randomPanel(1), dates: [] }
  const newest = { recent: short, whole: randomPanel(1) }
  expect(panelOf(newest, expression)).toBe(days !== null && days < recentDays ? newest.recent : newest.whole)
})

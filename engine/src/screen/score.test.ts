import { describe, expect, it } from 'vitest'
import { parameters, rankBy } from '../../test/fixtures/parameters.ts'
import { randomPanel } from '../../test/fixtures/random-panel.ts'
import { markets } from '../market/index.ts'
import { availableIn } from '../panel-views/available.ts'
import { compileScreen } from './compiled-screen.ts'
import { Scorer } from './score.ts'
import { universeRules } from './universe.ts'

/** A panel whose fields have values on days on which nobody is listed. */
function noisyPanel() {
  const panel = randomPanel(3, { days: 60, securities: 21 })
  const columns = new Map([...panel.columns].map(([key, column]) => [key, column.map((value, at) => (value === value ? value : at % 7))]))
  return { ...panel, columns, listed: panel.listed.map((listed, at) => (at % 5 === 0 ? 0 : listed)) }
}

describe('scoring days of a panel', () => {
  const panel = noisyPanel()
  const count = panel.securities.length
  const days = Int32Array.from({ length: 12 }, (_, k) => 3 + 4 * k)
  const scored = (texts: readonly string[], chunk: number, keepUnits: boolean) => {
    const wanted = parameters({ rank_factors: texts.map((text, f) => rankBy(text, { prefer: f % 2 === 0 ? 'small' : 'large' })) })
    const made = compileScreen(markets.stk, availableIn(panel, markets.stk.fields), wanted, 'backtest')
    if (!made.ok) throw new Error(made.problem.message)
    const { rules } = universeRules(panel, markets.stk, wanted, new Int32Array(count).fill(40))
    const scorer = new Scorer(panel, made.compiled, rules, keepUnits)
    const told: unknown[] = []
    for (let start = 0; start < days.length; start += chunk) {
      const rows = days.subarray(start, start + chunk)
      scorer.load(rows)
      rows.forEach((_, k) => {
        scorer.score(k)
        told.push([scorer.size, [...scorer.fail], texts.length > 1 ? [...scorer.scores] : [...scorer.pool]])
      })
    }
    return told
  }

  it.each([
    { texts: ['formula: close / ref(close, 2) - 1', 'vol', 'formula: -close'] },
    { texts: ['close', 'vol'] },
    { texts: ['vol'] },
    { texts: ['formula: vol * 1'] },
  ])('says the same however many are loaded at once, and wherever values are read: $texts', ({ texts }) => {
    const whole = scored(texts, days.length, false)
    expect(whole).toEqual(scored(texts, 5, false))
    expect(whole).toEqual(scored(texts, 5, true))
    expect(whole.some((day) => (day as [number])[0] > 2)).toBe(true)
  })

  it('asks listed securities alone whether a factor has values', () => {
    const nobody = { ...panel, listed: new Uint8Array(panel.listed.length) }
    const made = compileScreen(markets.stk, availableIn(panel, markets.stk.fields), parameters(), 'backtest')
    if (!made.ok) throw new Error(made.problem.message)
    for (const [each, has] of [
      [panel, true],
      [nobody, false],
    ] as const) {
      const scorer = new Scorer(each, made.compiled, [], false)
      scorer.load(days)
      expect(scorer.hasValue(made.compiled.ranks[0].factor, 2)).toBe(has)
    }
  })
})

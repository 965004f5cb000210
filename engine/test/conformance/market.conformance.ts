import type { Board } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/market/market.ts'
import { security } from '../fixtures/security.ts'

const boards: Board[] = ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR', 'BSE']
const dates = ['2013-05-06', '2018-01-02', '2020-08-21', '2020-08-24', '2022-04-28', '2022-07-29', '2022-08-01', '2023-08-28', '2026-11-20']

/** What every Market must be. A third market is made by passing this. */
export function marketConformance(market: Market): void {
  describe(`${market.label} is a market`, () => {
    it('has each key once, with a Chinese label and a description', () => {
      const fields = market.fields.map((field) => field.key)
      const factors = market.factors.map((factor) => factor.key)
      expect(new Set(fields).size).toBe(fields.length)
      expect(new Set(factors).size).toBe(factors.length)
      for (const each of [...market.fields, ...market.factors]) {
        expect(each.key).toMatch(/^[a-z][a-zA-Z0-9_]*$/)
        expect(each.label.length).toBeGreaterThan(0)
        expect(each.description.length).toBeGreaterThan(0)
        expect(each.category.length).toBeGreaterThan(0)
        expect(each.decimals).toBeGreaterThanOrEqual(0)
      }
    })

    it('has the fields that the engine cannot do without', () => {
      const keys = new Set(market.fields.map((field) => field.key))
      for (const key of ['close', 'amount', 'listed_days', 'suspension']) expect(keys).toContain(key)
      expect(market.fields.find((field) => field.key === 'close')?.carry).toBe(true)
    })

    it('marks parametric factors by N in key, formula and label', () => {
      for (const factor of market.factors) {
        const parametric = factor.key.split('_').includes('N')
        expect(factor.window !== undefined).toBe(parametric)
        expect(/\bN\b|_N\b|_N_/.test(factor.formula)).toBe(parametric)
        if (factor.window) {
          expect(factor.label).toContain('N')
          expect(factor.window.default).toBeGreaterThanOrEqual(factor.window.min)
          expect(factor.window.default).toBeLessThanOrEqual(factor.window.max)
        }
      }
    })

    it('writes only fractions in per cent: a logarithm, a score, a coefficient or a multiple is a number', () => {
      const plain =
        /^(ln_|non_linear|dblow|macd|boll_pos|beta|corr|pv_corr|skew|kurt|sharpe|liquidity$|delta|gamma|duration|convexity|rsi|pe|pb|ps_|pcf_|peg|ev_|m_|f_score|vol_ratio|davol|(current|quick|cash)_ratio|\w+_turn$|margin_stability|sue)/
      const isFraction = ({ key, unit, decimals }: { key: string; unit: string | null; decimals: number }) =>
        unit === null && decimals === 4 && plain.test(key) && !/_pctile_|^pct_chg/.test(key)
      expect([...market.fields, ...market.factors].filter(isFraction).map(({ key }) => key)).toEqual([])
    })

    it('names only what it has as its roles and columns', () => {
      const keys = new Set([...market.fields, ...market.factors].map((each) => each.key))
      const known = (ref: string) => keys.has(ref) || keys.has(ref.replace(/_\d+(?=_|$)/, '_N'))
      for (const ref of market.columns) expect([ref, known(ref)]).toEqual([ref, true])
      for (const { size } of market.neutralizations) if (size !== null) expect([size, known(size)]).toEqual([size, true])
      for (const ref of Object.values(market.roles)) if (ref !== null) expect([ref, known(ref)]).toEqual([ref, true])
    })

    it('has lots, limits and fees for every board on every day', () => {
      for (const board of boards) {
        for (const date of dates) {
          const some = security({ code: '000001.DM', board, listed: '2012-01-04' })
          const lot = market.lot(some, date)
          expect(lot.min).toBeGreaterThan(0)
          expect(Number.isInteger(lot.min) && Number.isInteger(lot.step) && lot.step >= 1).toBe(true)
          const { up, down } = market.limits(some, date, 100, 100, false)
          if (up !== null) expect(up).toBeGreaterThan(100)
          if (down !== null) expect(down).toBeLessThan(100)
          const fees = market.fees(some, date)
          for (const rate of [fees.stampSell, fees.transfer]) {
            expect(rate).toBeGreaterThanOrEqual(0)
            expect(rate).toBeLessThan(0.01)
          }
        }
      }
    })

    it('has no limit where there is no previous close', () => {
      for (const board of boards) {
        const some = security({ code: '000001.DM', board, listed: '2012-01-04' })
        expect(market.limits(some, '2026-11-20', 100, Number.NaN, false)).toEqual({ up: null, down: null })
      }
    })

    it('writes limit prices on the tick', () => {
      const scale = 10 ** market.tickDecimals
      for (let price = 1.01; price < 300; price += 7.37) {
        const { up, down } = market.limits(security({ code: '000001.DM', listed: '2012-01-04' }), '2026-11-20', 100, price, false)
        for (const limit of [up, down]) {
          if (limit !== null) expect(Math.abs(limit * scale - Math.round(limit * scale))).toBeLessThan(1e-6)
        }
      }
    })
  })
}

import { describe, expect, it } from 'vitest'
import { crossSection, markets } from '../../src/index.ts'
import { table } from '../fixtures/table.ts'

/** A bond listed on the fifth day, whose share was there before, beside two that were listed all along. */
const panel = table(
  `             AAA  BBB  CCC
   2024-01-02  100  .    120
   2024-01-03  101  .    121
   2024-01-04  102  .    122
   2024-01-05  103  .    123
   2024-01-08  104  110  124
   2024-01-09  105  112  125`,
  {
    fields: {
      close_stk: `  AAA   BBB    CCC
        2024-01-02  10.00 10.00  20.00
        2024-01-03  10.00 10.00  20.00
        2024-01-04  10.00 11.00  20.00
        2024-01-05  10.00 12.10  20.00
        2024-01-08  10.00 13.31  20.00
        2024-01-09  10.00 13.00  20.00`,
      pre_close_stk: `  AAA   BBB    CCC
        2024-01-02  10.00 10.00  20.00
        2024-01-03  10.00 10.00  20.00
        2024-01-04  10.00 10.00  20.00
        2024-01-05  10.00 11.00  20.00
        2024-01-08  10.00 12.10  20.00
        2024-01-09  10.00 13.31  20.00`,
    },
    securities: { BBB: { listed: '2024-01-08', board: 'SZSE_MAIN' }, AAA: { board: 'SZSE_MAIN' }, CCC: { board: 'SZSE_MAIN' } },
  },
)

describe("windows on the first day of a bond whose share's history is there", () => {
  it.each([
    { factor: 'pct_chg_4_stk', values: [0, 0.331, 0] },
    { factor: 'bias_5_stk', values: [0, 13.31 / 11.282 - 1, 0] },
    { factor: 'limit_streak_stk', values: [0, 3, 0] },
    { factor: 'formula: ref(close_stk, 4)', values: [10, 10, 20] },
    // The bond's own windows begin with the bond.
    { factor: 'pct_chg_1', values: [104 / 103 - 1, null, 124 / 123 - 1] },
    { factor: 'formula: ref(close, 1)', values: [103, null, 123] },
    { factor: 'alpha_pct_chg_1', values: [104 / 103 - 1, null, 124 / 123 - 1] },
    // A cross-section of a day is of the bonds that were listed on it.
    { factor: 'formula: ref(cs_mean(close_stk), 1)', values: [15, null, 15] },
    { factor: 'formula: cs_count(ref(close_stk, 1))', values: [3, 3, 3] },
    { factor: 'formula: ref(cs_rank(close_stk), 1)', values: [0.5, null, 1] },
    // What makes a number of an absent one begins with the bond too.
    { factor: 'formula: ref(coalesce(close_stk, 0), 1)', values: [10, null, 20] },
  ])('$factor', ({ factor, values }) => {
    const told = crossSection(panel, markets.cb, [factor as never], 4)
    const wanted = values.map((value) => (value === null ? null : expect.closeTo(value, 12)))
    expect(told.ok && told.values[0]).toEqual(wanted)
  })

  it('before its listing the bond itself has no value of any of them', () => {
    const told = crossSection(panel, markets.cb, ['close_stk', 'pct_chg_1_stk', 'limit_streak_stk'], 3)
    expect(told.ok && [told.codes, told.values[0]]).toEqual([
      ['AAA', 'CCC'],
      [10, 20],
    ])
  })
})

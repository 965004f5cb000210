import type { Board } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../../src/index.ts'
import { settings } from '../fixtures/parameters.ts'
import { reportOf } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'
import { cheapest } from '../fixtures/trades.ts'

describe('the first day on which a security can be bought at its close', () => {
  interface Case {
    what: string
    /** The first close is of the day before the run. */
    closes: readonly (readonly [date: string, close: number | '.'])[]
    first: string | undefined
    kind?: 'cb' | 'stk'
    board?: Board
    listed?: string
    st?: boolean
    /** The exchange's previous close of a first day. */
    issuedAt?: number
    /** First day of the run; the second day of the table when not said. */
    from?: string
  }
  it.each<Case>([
    {
      what: '创业板 at 10 % before and after 2020-08-24',
      ...{
        board: 'CHINEXT',
        closes: [
          ['2020-08-20', 10],
          ['2020-08-21', 11],
          ['2020-08-24', 12.1],
        ],
        first: '2020-08-24',
      },
    },
    {
      what: '创业板 at 20 %',
      board: 'CHINEXT',
      closes: [
        ['2020-09-01', 10],
        ['2020-09-02', 12],
        ['2020-09-03', 12],
      ],
      first: '2020-09-03',
    },
    {
      what: 'ST of 创业板 at 10 %',
      board: 'CHINEXT',
      st: true,
      closes: [
        ['2020-09-01', 10],
        ['2020-09-02', 11],
      ],
      first: '2020-09-02',
    },
    {
      what: 'ST of 创业板 at 20 %',
      board: 'CHINEXT',
      st: true,
      closes: [
        ['2020-09-01', 10],
        ['2020-09-02', 12],
      ],
      first: undefined,
    },
    {
      what: 'ST of the main board at 5 %, to the cent',
      st: true,
      closes: [
        ['2020-08-20', 10.05],
        ['2020-08-21', 10.55],
      ],
      first: undefined,
    },
    {
      what: 'ST of the main board a cent below',
      st: true,
      closes: [
        ['2020-08-20', 10.05],
        ['2020-08-21', 10.54],
      ],
      first: '2020-08-21',
    },
    {
      what: 'the main board where half a cent rounds up',
      closes: [
        ['2020-08-20', 4.25],
        ['2020-08-21', 4.68],
      ],
      first: undefined,
    },
    {
      what: 'the main board a cent below',
      closes: [
        ['2020-08-20', 4.25],
        ['2020-08-21', 4.67],
      ],
      first: '2020-08-21',
    },
    {
      what: '科创板 at 20 %',
      board: 'STAR',
      closes: [
        ['2020-08-20', 10],
        ['2020-08-21', 12],
        ['2020-08-24', 12],
      ],
      first: '2020-08-24',
    },
    {
      what: 'a new share of 科创板, free for five days',
      ...{
        board: 'STAR',
        listed: '2020-08-21',
        closes: [
          ['2020-08-20', '.'],
          ['2020-08-21', 30],
        ],
        first: '2020-08-21',
      },
    },
    {
      what: 'a new share of 科创板 on its sixth day',
      ...{ board: 'STAR', listed: '2020-08-14', first: undefined, from: '2020-08-21' },
      closes: [
        ['2020-08-14', 10],
        ['2020-08-17', 10],
        ['2020-08-18', 10],
        ['2020-08-19', 10],
        ['2020-08-20', 10],
        ['2020-08-21', 12],
      ],
    },
    {
      what: 'a debut of the main board at 44 %, and the limits behind it',
      ...{ board: 'SSE_MAIN', listed: '2020-08-20', issuedAt: 10, first: '2020-08-24' },
      closes: [
        ['2020-08-19', '.'],
        ['2020-08-20', 14.4],
        ['2020-08-21', 15.84],
        ['2020-08-24', 16],
      ],
    },
    {
      what: 'a bond at 25 % without limits',
      kind: 'cb',
      closes: [
        ['2022-07-28', 100],
        ['2022-07-29', 125],
      ],
      first: '2022-07-29',
    },
    {
      what: 'a bond at 20 %',
      kind: 'cb',
      closes: [
        ['2022-07-29', 100],
        ['2022-08-01', 120],
      ],
      first: undefined,
    },
    {
      what: 'a bond a tick below',
      kind: 'cb',
      closes: [
        ['2022-07-29', 100],
        ['2022-08-01', 119.999],
      ],
      first: '2022-08-01',
    },
    {
      what: 'a new bond at 57.3 %',
      kind: 'cb',
      listed: '2022-08-01',
      closes: [
        ['2022-07-29', '.'],
        ['2022-08-01', 157.3],
      ],
      first: undefined,
    },
    {
      what: 'a new bond a tick below',
      ...{
        kind: 'cb',
        listed: '2022-08-01',
        closes: [
          ['2022-07-29', '.'],
          ['2022-08-01', 157.299],
        ],
        first: '2022-08-01',
      },
    },
  ])(
    '$what',
    ({
      closes,
      first,
      kind = 'stk',
      board = 'SZSE_MAIN',
      listed = '2010-01-04',
      st = false,
      issuedAt,
      from = closes[1]?.[0] as string,
    }) => {
      const text = (cell: (close: number | '.', k: number) => number | '.') =>
        ['AAA', ...closes.map(([date, close], k) => `${date} ${cell(close, k)}`)].join('\n')
      const panel = table(
        text((close) => close),
        {
          ...{ kind, securities: { AAA: { board, listed } } },
          fields: {
            is_st: text(() => Number(st)),
            ...(issuedAt && { pre_close: text((_, k) => (k === 1 ? issuedAt : k > 1 ? (closes[k - 1]?.[1] ?? '.') : '.')) }),
          },
        },
      )
      const [bought] = reportOf(panel, markets[kind], {
        parameters: cheapest,
        settings: settings(from, closes.at(-1)?.[0] as string, {
          ...{ benchmark: `${kind}_ew`, execution: 'realistic', adjust: kind === 'cb' ? 'raw' : 'qfq' },
        }),
      }).report.trades
      expect(bought?.date).toBe(first)
    },
  )
})

import type { Parameters, Settings } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets, screen } from '../../src/index.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { reportOf, runToEnd } from '../fixtures/run.ts'
import { table } from '../fixtures/table.ts'

const panel = table(
  `
              AAA  BBB  CCC
  2024-01-02  100  110  200
  2024-01-03  100  110  200
  2024-01-04  100  110  200
  2024-01-05  100  110  200
  2024-01-08  100  110  200
`,
  {
    fields: {
      conv_prem: `
              AAA  BBB  CCC
  2024-01-02  0.1  0.3  0.8
  2024-01-03  0.3  0.5  0.1
  2024-01-04  0.2  0.2  0.1
  2024-01-05  0.1  0.1  0.1
  2024-01-08  0.4  0.6  0.1
    `,
    },
    benchmarks: { '000300': [100, 102, 101, 99, 103] },
  },
)
const run = (timing: Parameters['timing'], over: Partial<Settings> = {}, more: Partial<Parameters> = {}) =>
  reportOf(panel, markets.cb, {
    parameters: parameters({ hold_method: { hold_range_end: 2 }, timing, ...more } as Parameters),
    settings: settings('2024-01-02', '2024-01-08', { benchmark: '000300', ...over }),
  })
const exposures = (made: ReturnType<typeof run>) => made.report.curves.exposure.map((each) => Number((each as number).toFixed(6)))

describe('timing rules say how much is invested on rebalance days', () => {
  it('full while the pool mean of a factor is below the threshold', () => {
    // CCC is not in the pool: 0.2, 0.4, 0.2, 0.1, 0.5
    const made = run(
      [{ rule: 'threshold', factor_key: 'conv_prem', value: 0.2, exposure: 0.5 }],
      {},
      {
        filter_factors: [{ factor_key: 'close', action: 'exclude', operation: 'gt', value: 150, enable: true }],
      },
    )
    expect(exposures(made)).toEqual([0.5, 0.5, 0.5, 1, 0.5])
    expect(made.report.trades.at(-1)?.reason_text).toBe('调仓（权重 50.0% → 25.0%，择时仓位 50.0%）')
    expect(made.days[3]?.note).toBe('轮动日，择时目标仓位 100.0%')
  })

  it('full while the benchmark is not below its moving average; not let in before there is one', () => {
    const made = run([{ rule: 'ma_cross', value: 3, exposure: 0 }])
    // means of three from the third day on: 101, 100.67, 101
    expect(exposures(made)).toEqual([0, 0, 1, 0, 1])
    expect(made.report.trades.filter(({ date }) => date === '2024-01-05').map(({ reason, reason_text }) => [reason, reason_text])).toEqual([
      ['timing', '择时规则：目标仓位 0%'],
      ['timing', '择时规则：目标仓位 0%'],
    ])
    expect(made.report.warnings).toContain('择时规则（基准 000300）有 2 个轮动日历史不足，无法判断，按规则仓位 0% 处理')
  })

  it('or the mean of a factor over all that traded', () => {
    // 0.4, 0.3, 0.167, 0.1, 0.367; means of two: –, 0.35, 0.233, 0.133, 0.233
    expect(exposures(run([{ rule: 'ma_cross', factor_key: 'conv_prem', value: 2, exposure: 0.25 }]))).toEqual([0.25, 0.25, 0.25, 0.25, 1])
  })

  it('the least of several holds, on rebalance days alone, and none of no rules', () => {
    const both: Parameters['timing'] = [
      { rule: 'ma_cross', value: 2, exposure: 0.5 },
      { rule: 'threshold', factor_key: 'conv_prem', value: 0.35, exposure: 0.25 },
    ]
    expect(exposures(run(both))).toEqual([0.25, 1, 0.5, 0.5, 0.25])
    expect(exposures(run(both, {}, { rebalance_method: { rebalance_type: 0, rebalance_value: 2 } }))).toEqual([0.25, 0.25, 0.5, 0.5, 0.25])
    expect(exposures(run([{ rule: 'none', exposure: 0 }]))).toEqual([1, 1, 1, 1, 1])
  })

  it('leaving the market leaves no odd lot behind, least holding days or not', () => {
    const made = run([{ rule: 'ma_cross', value: 2, exposure: 0 }], { execution: 'realistic', capital: 1, adjust: 'raw' }, { hold_days: 9 })
    expect(made.days.map(({ positions }) => positions.map(({ volume }) => volume))).toEqual([[], [50, 40], [], [], [50, 40]])
  })

  it('a screen of a day tells what its thresholds ask for', () => {
    const told = (day: number) => {
      const timing: Parameters['timing'] = [{ rule: 'threshold', factor_key: 'conv_prem', value: 0.3, exposure: 0.5 }]
      const outcome = screen(panel, markets.cb, { parameters: parameters({ timing }), day })
      return outcome.ok ? outcome.result.warnings : [outcome.problem.message]
    }
    expect(told(0)).toEqual(['择时：打分池「转股溢价率」均值 0.4，阈值 0.3，目标仓位 50%'])
    expect(told(3)).toEqual(['择时：打分池「转股溢价率」均值 0.1，阈值 0.3，目标仓位 100%'])
  })

  it.each([
    [{ rule: 'threshold', factor_key: 'conv_prem', exposure: 0 }, '阈值择时需要选择因子并填写阈值'],
    [{ rule: 'ma_cross', value: 1.5, exposure: 0 }, '均线择时需要填写均线天数，为 2 至 250 的整数'],
    [{ rule: 'threshold', factor_key: 'pb', value: 2, exposure: 0 }, '“正股市净率”'],
  ] as const)('%o is refused', (rule, message) => {
    const { outcome } = runToEnd(panel, markets.cb, {
      parameters: parameters({ timing: [rule], rank_factors: [rankBy('close')] }),
      settings: settings('2024-01-02', '2024-01-08', { benchmark: '000300' }),
    })
    expect(outcome).toMatchObject({ ok: false, problem: { code: 23001, message: expect.stringContaining(message) } })
  })
})

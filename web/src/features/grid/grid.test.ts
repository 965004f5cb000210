import type { Settings } from '@convexa/contract/backtest'
import type { GridResult } from '@convexa/contract/grid'
import { describe, expect, it } from 'vitest'
import { blankParameters } from '../rule/draft.ts'
import { factorsOf } from '../rule/factors.ts'
import { axisChoices, firstAxes } from './axis-choices.ts'
import { cellsSheet } from './cells-table.tsx'
import { besideOf, cellName, modelOf } from './grid-model.ts'
import { cellsMistake, estimateWords, planGrid, splitChoices, thinned } from './grid-request.ts'
import { heatColors } from './heat-colors.ts'
import { headOf, medianSharpe, readingsOf } from './readings.ts'
import { widened } from './values-text.ts'
import { withNumber } from './with-number.ts'

const factor = (factor_key: string, unit: string | null) => ({ factor_key, factor_name: factor_key, unit, decimals: 4, available: true })
const factors = factorsOf([factor('dblow', '元'), factor('close', '元'), factor('conv_prem', null), factor('remain_size', '亿元')] as never)
const settings: Settings = {
  ...{ start_date: '2022-08-01', end_date: '2026-11-20', benchmark: 'cb_ew', capital: 10, cost: { buy_rate: 0.001, sell_rate: 0.001 } },
  execution: 'realistic',
  fill: 'close',
  call_handling: 't_minus_1_close',
  delisting: 'last_price',
  adjust: 'raw',
}
const draft = { name: '双低', parameters: blankParameters('cb'), settings }
const choices = axisChoices(draft, 'cb', factors)
const split = { type: 'ratio', ratio: 0.2, years: 3 } as const
const plan = (...axes: [string, string][]) =>
  planGrid(
    draft,
    choices,
    axes.map(([key, text]) => ({ key, text })),
    split,
  )

describe('a grid as it is asked', () => {
  it('begins with how many are held and how often they are looked at', () => {
    const first = choices.filter(({ key }) => firstAxes.some((one) => one === key))
    expect(first.map(({ label, now }) => `${label} ${now}`)).toEqual(['持有数量 10', '轮动周期 1'])
  })

  it('offers weights, caps, stops and costs, each once by name', () => {
    const labels = choices.map(({ label }) => label)
    for (const label of ['缓冲名次', 'dblow 权重', '价格上限', '溢价上限', '规模上限', '止盈比例', '止损比例', '买入成本'])
      expect(labels).toContain(label)
    expect(new Set(labels).size).toBe(labels.length)
  })

  it('puts numbers in the units of the wire, and adds the conditions that the draft lacks', () => {
    const made = plan(['cap.close', '120,150'], ['cap.conv_prem', '20:40:20'])
    expect(made).toMatchObject({ ok: true, cells: 4 })
    if (!made.ok) return
    const { body } = made.question
    expect(body.axes.map(({ path, values }) => [path, values])).toEqual([
      ['parameters.filter_factors.0.value', [120, 150]],
      ['parameters.filter_factors.1.value', [0.2, 0.4]],
    ])
    expect(body.parameters.filter_factors.map(({ factor_key, operation }) => `${factor_key} ${operation}`)).toEqual([
      'close gt',
      'conv_prem gt',
    ])
    expect(body.oos).toEqual({ type: 'ratio', value: 0.2 })
    expect(draft.parameters.filter_factors).toEqual([])
  })

  it('a stop that the draft has not set is judged within the day; two of them together', () => {
    const made = plan(['stop.take_profit', '5,10'], ['stop.stop_loss', '5'])
    expect(made.ok && made.question.body.parameters.stop_method).toMatchObject({ stop_type: 3, take_profit: 0.1, stop_loss: 0.1 })
  })

  it.each([
    ['gone', '1', '重新选择'],
    [firstAxes[0], '0', '1 到 100'],
    [firstAxes[0], '1.5', '整数'],
  ])('%s with %s is refused at its axis', (key, text, message) => {
    const made = plan([key, text])
    expect(!made.ok && made.mistakes[0]?.message).toContain(message)
  })

  it('may keep its last days out of the sample; of four years and more it may walk forward', () => {
    const kept = ['不划分', '最近 10%', '最近 20%', '最近 30%']
    expect(splitChoices('2022-11-23', '2026-11-20').map(({ label }) => label)).toEqual(kept)
    const long = splitChoices('2022-11-19', '2026-11-20')
    expect(long.slice(0, 4).map(({ label }) => label)).toEqual(kept)
    expect(long.slice(4).map(({ label }) => label)).toEqual([2, 3, 4, 5].map((years) => `滚动：训练 ${years} 年 / 检验 1 年`))
  })

  it('says how many are allowed, how long it takes, and how to make it smaller', () => {
    expect(cellsMistake(225, 200)).toBe('组合数不能超过 200；当前 225')
    expect(cellsMistake(200, 200)).toBeNull()
    expect(estimateWords(200, 1000, { perCellDay: 1e-4 })).toBe('预计 15–30 秒')
    expect(
      thinned(
        [
          { key: firstAxes[0], text: '5:25:5' },
          { key: firstAxes[1], text: '1,5' },
        ],
        choices,
      ),
    ).toEqual({ index: 0, text: '5,15,25' })
  })
})

it('a number deep in a request is changed in a copy', () => {
  const before = { parameters: { rank_factors: [{ weight: 1 }, { weight: 2 }] } }
  expect(withNumber(before, 'parameters.rank_factors.1.weight', 5)).toEqual({
    parameters: { rank_factors: [{ weight: 1 }, { weight: 5 }] },
  })
  expect(before.parameters.rank_factors[1]?.weight).toBe(2)
})

const metrics = (sharpe: number) => ({ sharpe, annual_return: 0, total_return: 0, max_drawdown: 0, calmar: 0, turnover: 0, win_rate: 0 })
/** Sharpe ratios by row; null was not reached. */
function resultOf(rows: readonly (readonly (number | null)[])[], plateau: number[][], best: number[]): GridResult {
  const cells = rows.flatMap((row, r) => row.flatMap((value, c) => (value === null ? [] : [{ index: [c, r], metrics: metrics(value) }])))
  return {
    ...{ axes: [], cells, dates: ['2020-01-02', '2024-01-02'], best: { index: best }, plateau: { cells: plateau, sentence: '平台' } },
    ...{ stability: [], oos_rank_correlation: 0.31, robustness: { trials: cells.length, luck_threshold: 0.9, dsr: 0.9, pbo: 0.2 } },
    ...{ partial: false, done: cells.length, total: 4, warnings: [], elapsed_ms: 1, data_version: 'x' },
  }
}
const axes = [
  { label: '持有数量', unit: '只', scale: 1, values: [5, 10], now: 10 },
  { label: '轮动周期', unit: '日', scale: 1, values: [1, 5], now: 5 },
] as const

describe('what a grid says', () => {
  const model = modelOf(
    resultOf(
      [
        [1.46, 0.5],
        [0.6, 0.7],
      ],
      [
        [1, 1],
        [0, 1],
        [1, 0],
      ],
      [0, 0],
    ),
    axes,
    { settings },
  )
  const readings = new Map(readingsOf(model).map((one) => [one.key, one]))

  it('where the draft stands', () => expect(model.current).toBe('1,1'))
  it('how those beside a cell do, corners too: their mean and the least', () => {
    const beside = besideOf(model, [0, 0])
    expect([beside?.mean, beside?.least]).toEqual([expect.closeTo(0.6, 12), 0.5])
    expect(besideOf({ axes, cells: new Map([['0,0', model.cells.get('0,0') as never]]) }, [0, 0])).toBeNull()
    const [, head = '', line = ''] = cellsSheet(model, { name: '双低', axes, body: { ...draft, axes: [] } }, false).split('\n')
    const written = (column: string) => line.split(',')[head.trim().split(',').indexOf(column)]?.trim()
    expect([written('邻格夏普均值'), written('邻格夏普最低')]).toEqual(['0.6', '0.5'])
  })
  it('names a cell', () => expect(cellName(axes, [1, 0])).toBe('持有数量 10 只 × 轮动周期 1 日'))
  it('what luck alone would do', () => expect(readings.get('luck')?.title).toBe('1 格越过运气门槛 0.90'))
  it('how little ranks inside say of those outside', () =>
    expect(readings.get('migration')).toMatchObject({ look: 'warn', title: '样本外排名相关', figure: '0.31' }))
  it('of a grid whose curves are not told, too: what is outside the sample, and of how many years what is inside', () => {
    const { dates: _, ...large } = resultOf([[1.46, 0.5]], [], [0, 0])
    const cells = large.cells.map((cell) => ({ ...cell, oos_metrics: metrics(0.2) }))
    const told = modelOf({ ...large, cells }, axes, { settings, oos: { type: 'ratio', value: 0.2 } })
    expect([told.hasOutside, told.oosStart]).toEqual([true, null])
    expect(readingsOf(told).find(({ key }) => key === 'luck')?.text).toContain('3.4 年数据')
    const walked = modelOf({ ...large, cells }, axes, { settings, oos: { type: 'walk_forward', value: 2 } })
    expect(readingsOf(walked).find(({ key }) => key === 'luck')?.text).toContain('2.0 年数据')
    expect(readings.get('luck')?.text).toContain('4.3 年数据')
  })
  it('as a file has the turnover of a year, as the head says', () => {
    const result = resultOf([[1]], [], [0, 0])
    const cells = result.cells.map((cell) => ({ ...cell, metrics: { ...cell.metrics, turnover: 0.1 } }))
    const told = modelOf({ ...result, cells }, axes, { settings })
    const [, head = '', line = ''] = cellsSheet(told, { name: '双低', axes, body: { ...draft, axes: [] } }, false).split('\n')
    expect(line.split(',')[head.trim().split(',').indexOf('年换手')]?.trim()).toBe('24.2')
  })
  it('the middle of all', () => expect(medianSharpe(model)).toBeCloseTo(0.65))
})

describe('the card of a grid', () => {
  const wide = axes.map((axis) => ({ ...axis, values: [1, 2, 3, 4, 5] }))
  /** Five by five; the plateau is the given cells, the best one stands at `best`. */
  const read = (over: {
    pbo?: number | null
    rho?: number | null
    luck?: number
    plateau?: number[][]
    best?: number[]
    shown?: typeof wide
  }) => {
    const rows = Array.from({ length: 5 }, () => [0.8, 1, 1.2, 1, 0.8])
    const result = resultOf(
      rows,
      over.plateau ?? [
        [1, 1],
        [2, 1],
        [3, 1],
        [2, 2],
      ],
      over.best ?? [2, 2],
    )
    const robustness = { ...result.robustness, pbo: over.pbo === undefined ? 0.2 : over.pbo, luck_threshold: over.luck ?? 0.5 }
    return readingsOf(modelOf({ ...result, robustness, oos_rank_correlation: over.rho ?? 0.6 }, over.shown ?? wide, { settings }))
  }
  const line = (key: string, over: Parameters<typeof read>[0]) => read(over).find((one) => one.key === key)

  it('says the probability of overfitting first, and takes the worst sign', () => {
    expect(read({}).map(({ key }) => key)).toEqual(['overfitting', 'luck', 'edge', 'plateau', 'migration'])
    expect(headOf(read({}))).toEqual({ look: 'ok', text: '没有看到危险信号' })
    expect(headOf(read({ rho: 0.2, best: [0, 2] }))).toEqual({ look: 'warn', text: '有 2 处要留意' })
    const overfitted = read({ pbo: 0.525 })
    expect(overfitted[0]).toMatchObject({
      key: 'overfitting',
      look: 'danger',
      figure: '52.5%',
      text: '样本内最好的参数，换一段时间多半会落到后一半。',
    })
    expect(headOf(overfitted)).toEqual({ look: 'danger', text: '这张网格多半过拟合，别直接用最高的一格' })
  })
  it.each([
    ['overfitting', { pbo: 0.3 }, 'ok'],
    ['overfitting', { pbo: 0.31 }, 'warn'],
    ['overfitting', { pbo: 0.5 }, 'warn'],
    ['overfitting', { pbo: 0.51 }, 'danger'],
    ['migration', { rho: 0.5 }, 'ok'],
    ['migration', { rho: 0.49 }, 'warn'],
    ['migration', { rho: -0.01 }, 'danger'],
    ['edge', { best: [2, 2] }, 'ok'],
    ['edge', { best: [4, 2] }, 'warn'],
    ['edge', { best: [2, 0] }, 'warn'],
    ['luck', { luck: 2 }, 'warn'],
    ['plateau', {}, 'ok'],
    [
      'plateau',
      {
        plateau: [
          [1, 1],
          [2, 1],
        ],
      },
      'warn',
    ],
    [
      'plateau',
      {
        luck: 1.1,
        plateau: [
          [1, 1],
          [2, 1],
          [3, 1],
        ],
      },
      'warn',
    ],
  ] as const)('%s %o is %s', (key, over, look) => expect(line(key, over as Parameters<typeof read>[0])?.look).toBe(look))
  it('a best cell at an end asks for a wider range, a plateau of most cells is none', () => {
    expect(line('edge', { best: [4, 0] })).toMatchObject({
      title: '最高点在边缘，请放宽范围',
      text: '最高点（5 只，1 日）在持有数量的最大一端、轮动周期的最小一端，更外面没有算过。',
    })
    const most = Array.from({ length: 16 }, (_, k) => [k % 5, Math.floor(k / 5)])
    expect(line('plateau', { plateau: most })).toMatchObject({ look: 'info', title: '大部分格子差不多（16/25）' })
    expect(line('plateau', { plateau: [] })?.title).toBe('没有平台区')
    expect(
      line('plateau', {
        luck: 1.1,
        plateau: [
          [1, 1],
          [2, 1],
          [3, 1],
        ],
      })?.title,
    ).toBe('有平台，但不高于运气')
  })
  it('a line without its number is left out', () => {
    expect(line('overfitting', { pbo: null })).toBeUndefined()
    expect(line('edge', { shown: axes.map((axis) => ({ ...axis, values: [1, 2] })) as never, best: [0, 0] })).toBeUndefined()
  })
  it.each([
    [[5, 10, 15], 'last', [5, 10, 15, 20, 25]],
    [[5, 10, 15], 'first', [5, 10, 15]],
    [[5, 10, 12], 'last', [5, 10, 12, 14, 16]],
    [[90, 95, 98], 'last', [90, 95, 98]],
    [[4, 6, 10], 'first', [2, 4, 6, 10]],
  ] as const)('%j is widened at its %s value to %j', (values, end, wider) =>
    expect(widened(values, end, { min: 1, max: 100 })).toEqual(wider),
  )
})

describe('grounds of a heat map', () => {
  const write = (value: number) => value.toFixed(1)
  it('gains alone in four steps', () => {
    const { classOf, legend } = heatColors([0, 1, 2, 4], true, write)
    expect([0, 1, 2, 4, null].map(classOf)).toEqual(['sunken', 'heat-up-1', 'heat-up-2', 'heat-up-3', ''])
    expect(legend.map(({ words }) => words)).toEqual(['<1.0', '1.0 至 2.0', '2.0 至 3.0', '≥3.0'])
  })
  it('gains and losses around zero', () => {
    expect([-3, 0, 1.5].map(heatColors([-3, 1.5], true, write).classOf)).toEqual(['heat-down-3', 'sunken', 'heat-up-2'])
  })
  it('the deepest drawdown is the darkest', () => {
    expect([-0.4, -0.1].map(heatColors([-0.4, -0.1], false, write).classOf)).toEqual(['seq-3', 'sunken'])
  })
})

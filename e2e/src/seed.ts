// What a person would have after some evenings with the product, made through its API: strategies with their glances, a group,
// finished runs, a share, an own factor. For pictures and measurements, which need pages that are not empty.

import type { Settings } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import type { Template } from '@convexa/contract/reference'
import type { Asking } from './asking.ts'
import { qmtDesk } from './qmt-desk.ts'

export type Kind = 'cb' | 'stk'

export interface Seeded {
  /** Saved strategies, by market. */
  strategies: Record<Kind, string[]>
  groups: Record<Kind, string>
  /** Finished runs, the newest first. */
  runs: Record<Kind, string[]>
  /** Of the newest run of bonds. */
  share: string
}

export const nothingSeeded: Seeded = { strategies: { cb: [], stk: [] }, groups: { cb: '', stk: '' }, runs: { cb: [], stk: [] }, share: '' }

/** Saves, runs and shares what the pictures show: of each market three strategies run over five years, or less. */
export async function seed(ask: Asking, { kinds = ['cb', 'stk'] as readonly Kind[], each = 3, years = 5 } = {}): Promise<Seeded> {
  const options = await ask(calls.reference.strategyOptions, {})
  const saved = structuredClone(nothingSeeded)
  for (const kind of kinds) {
    const { [kind]: twin } = calls
    const benchmark = options.benchmarks.find((one) => one.kind === kind && one.available)?.value ?? `${kind}_ew`
    const range = options.ranges[kind]
    if (!range) continue
    const templates = options.templates.filter((one) => one.kind === kind && one.parameters.rank_factors.length > 0).slice(0, each)
    for (const template of templates) {
      const settings = settingsOf(kind, benchmark, range, years)
      const { id } = await ask(twin.addStrategy, { body: strategyOf(template, settings) })
      saved.strategies[kind].push(id)
      await ask(twin.backtest, { body: { parameters: template.parameters, settings, strategy_id: id, note: `${template.name}：第一次` } })
      await ask(twin.glance, { params: { id }, body: {} })
    }
    const members = saved.strategies[kind].slice(0, 2).map((strategy_id, at) => ({ strategy_id, weight: at === 0 ? 0.6 : 0.4 }))
    if (kind === 'cb') await (await qmtDesk(ask)).add(kind, '双低实盘', saved.strategies[kind][0]!)
    const body = { group_name: '稳健组合', members, rebalance: 'monthly', duplicate: 'merge' } as const
    saved.groups[kind] = (await ask(twin.addGroup, { body })).id
  }
  const { list_items: items } = await ask(calls.quant.backtestList, {})
  for (const kind of ['cb', 'stk'] as const) saved.runs[kind] = items.filter((run) => run.kind === kind).map((run) => run.backtest_id)
  const [newest] = saved.runs.cb
  if (newest) saved.share = (await ask(calls.quant.addShare, { body: { backtest_id: newest, ttl_days: 30 } })).token
  const prefer = { prefer_default: 'small', decimals: 2 } as const
  const formula = 'ts_rank(close + conv_prem * 100, 20)'
  await ask(calls.cb.addFactor, { body: { factor_name: '双低20日分位', formula, description: '双低值在近20日里的位置', ...prefer } })
  return saved
}

const strategyOf = ({ name, parameters }: Template, settings: Settings) => ({
  strategy_name: name,
  detail: parameters,
  settings,
  tags: ['模板'],
})

/** The last years, with the costs of api.md 0.2. */
export function settingsOf(kind: Kind, benchmark: string, range: { start: string; end: string }, years: number): Settings {
  const before = (back: number) => `${Number(range.end.slice(0, 4)) - back}${range.end.slice(4).replace('02-29', '02-28')}`
  return {
    start_date: before(years) < range.start ? range.start : before(years),
    end_date: range.end,
    benchmark,
    capital: 10,
    cost:
      kind === 'cb'
        ? { buy_rate: 0.001, sell_rate: 0.001, slippage: 0, min_fee: 0 }
        : { buy_rate: 0.00025, sell_rate: 0.00025, slippage: 0.001, min_fee: 5 },
    execution: 'realistic',
    fill: 'close',
    oos_start: years > 1 ? before(1) : null,
    call_handling: 't_minus_1_close',
    delisting: 'last_price',
    adjust: 'raw',
  }
}

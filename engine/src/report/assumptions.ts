import type { Parameters, Report, Settings } from '@convexa/contract'
import { adjustments } from '@convexa/contract/enums/adjust'
import { isPriceIndex } from '@convexa/contract/enums/benchmark'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { type DataMode, dataModes, demoLabel, isSynthetic } from '@convexa/contract/enums/data-mode'
import { executions } from '@convexa/contract/enums/execution'
import { type Fill, fills } from '@convexa/contract/enums/fill'
import { isFraction } from '@convexa/contract/enums/hold-range'
import type { StopBase } from '@convexa/contract/enums/stop-base'
import { stopsLabel } from '@convexa/contract/enums/stop-type'
import { labelOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { yearDays } from '../base/calendar.ts'
import type { Market } from '../market/market.ts'
import { areAdjusted } from '../market/price-limits.ts'
import type { Panel } from '../panel/panel.ts'
import type { CompiledScreen } from '../screen/compiled-screen.ts'
import { leastCash } from '../screen/least-cash.ts'
import { silentDays } from '../simulation/exit-warnings.ts'
import { benchmarkName } from './benchmark-name.ts'
import { executionText } from './execution-text.ts'
import { leastDays } from './metrics.ts'

/** The engine does not know who brought data that are no demo: the foot of the page names the sources of its version. */
const dataTexts: Record<DataMode, string> = { demo: demoLabel, imported: '行情', platform: labelOf(dataModes, 'platform') }
const fillTexts: Record<Fill, (label: string) => string> = {
  close: (label) => `信号与成交都在${label}；实盘需要在收盘前（约 14:57）取得近似信号`,
  next_open: (label) => `信号在当日收盘，${label}成交`,
  next_close: (label) => `信号在当日收盘，${label}成交`,
  next_vwap: (label) => `信号在当日收盘，${label}（成交额 ÷ 成交量）成交`,
}
const handlingNotes: Record<Settings['call_handling'], string> = {
  t_minus_1_close: '',
  last_day_close: '',
  hold_to_redemption:
    '，强赎按公告的赎回价、没有公告的按 100 元加至赎回日的应计利息（税前），到期按到期兑付价；最后交易日之后到兑付日之间计为待兑付，不占持有名额，也不是现金；金额无法推算的在最后交易日收盘卖出，事先无从得知退出的按最后收盘价计为未兑付，都列名提示',
}

/** A rule that was run; of a group each member's, by its name. */
export interface RuleRun {
  readonly name?: string
  readonly compiled: CompiledScreen
}

/** 口径与假设: what decides the numbers, in plain sentences. */
export function assumptionsOf(
  panel: Panel,
  market: Market,
  rules: readonly RuleRun[],
  settings: Settings,
  facts: { readonly ended: number; readonly silent: number; readonly missing: number },
): Report['assumptions'] {
  const ideal = executions[settings.execution].frictionless
  const rows: [key: string, label: string, text: string][] = [
    [
      'data',
      '数据',
      `${market.label}${dataTexts[panel.dataMode]}，版本 ${panel.dataVersion}，${panel.dates[0]} 至 ${panel.dates[panel.dates.length - 1]}`,
    ],
    ['universe', '标的范围', `${endedText(facts)}；${knownText(panel, market, settings)}`],
    ['fill', '成交', fillTexts[settings.fill](labelOf(fills, settings.fill))],
    ['execution', '成交', `${labelOf(executions, settings.execution)}：${executionText(panel, market, settings, rules.length)}`],
    ['cost', '成本', costText(panel, market, settings, ideal)],
    [
      'profit',
      '单笔收益',
      '卖出金额减费用，加卖出部分持有期间所得的现金分红或利息，再减其按持仓均价计的成本；均价含买入费用，加仓时重新摊算，送转所得股份不计成本',
    ],
    ['adjust', '复权', adjustText(panel, market, settings)],
  ]
  if (market.redeemed)
    rows.push([
      'call',
      '强赎与到期',
      `${labelOf(callHandlings, settings.call_handling)}${handlingNotes[settings.call_handling]}；${ideal ? '最后交易日直接取自数据' : '最后交易日自公告日起才为策略所知'}`,
    ])
  else rows.push(['delisting', '退市', `无行情后按${settings.delisting === 'zero' ? '零值' : '最后价格'}退出`])
  const textsOf = (of: (compiled: CompiledScreen) => string | null) => {
    return rules.flatMap(({ name, compiled }) => {
      const text = of(compiled)
      return text === null ? [] : [name === undefined ? text : `【${name}】${text}`]
    })
  }
  const stops = textsOf(({ parameters }) => stopText(parameters.stop_method))
  if (stops.length > 0) rows.push(['stop', stopsLabel, stops.join('；')])
  const timings = textsOf((compiled) => (compiled.timing.length > 0 ? timingText(compiled, market, settings) : null))
  if (timings.length > 0) rows.push(['timing', '择时', timings.join('；')])
  const caps = textsOf(({ parameters }) => capText(parameters.hold_method))
  rows.push(
    ['suspension', '停牌与缺失', '停牌的持仓按最后收盘价估值；停牌日的因子沿用停牌前的值，交易日没有的因子按打分设置处理，缺失不当作 0'],
    ['cash', '现金', ['未使用的现金不计利息', '空缺的位置保持现金', ...caps].join('；')],
    [
      'benchmark',
      '基准',
      `${benchmarkName(market.benchmark, settings.benchmark)}${isSynthetic(panel.dataMode) ? '（演示）' : ''}，以回测首日收盘为起点，不计交易成本${
        isPriceIndex(settings.benchmark) ? '；它是价格指数，不含成分股分红（近年每年约 2%–3%），策略收益含分红，超额中包含这部分差别' : ''
      }`,
    ],
    [
      'metrics',
      '指标',
      `每年 ${yearDays} 个交易日，无风险利率 0，样本标准差（ddof 1）；不足 ${leastDays} 个交易日不年化；净值含首日建仓成本`,
    ],
  )
  return rows.map(([key, label, text]) => ({ key, label, text }))
}

/**
 * Files of who is still there have nobody who ended: that the engine cannot tell from a range in which nobody did. Of who has not traded for long
 * it cannot tell whether it is suspended or has left.
 */
function endedText({ ended, silent, missing }: { readonly ended: number; readonly silent: number; readonly missing: number }): string {
  const lacking = missing > 0 ? `，其中 ${missing} 只期末缺行情，按最近收盘价计值` : ''
  const maybe = silent > 0 ? `，${silent} 只到期末已有 ${silentDays} 个交易日以上没有成交，可能已经退市，按停牌处理${lacking}` : ''
  if (ended > 0) return `包含区间内已退出交易的证券 ${ended} 只，不是只看存续的证券${maybe}`
  return `区间内没有${silent > 0 ? '写明' : ''}退出交易的证券${maybe}；数据如果只含至今存续的证券，结果会偏高（幸存者偏差）`
}

/** What a cap leaves over, where it leaves anything. */
function capText(hold: Parameters['hold_method']): string | null {
  const { hold_range_start: start, hold_range_end: end, hold_max_weight: cap } = hold
  if (isFraction(hold)) return cap < 1 ? `单只最多占 ${rate(cap)}，名单少于 ${Math.ceil(1 / cap - 1e-9)} 只时其余留作现金` : null
  const left = leastCash(hold, null)
  return left > 0 ? `单只最多占 ${rate(cap)}、至多 ${end - start + 1} 只，每次轮动后至少 ${rate(left)} 留作现金` : null
}

function timingText({ timing }: CompiledScreen, market: Market, { benchmark }: Settings): string {
  const rules = timing.map(({ row, factor }) => {
    const otherwise = row.exposure === 0 ? '否则空仓' : `否则仓位 ${rate(row.exposure)}`
    if (timingRules[row.rule].value === 'level') return `打分池「${factor?.label}」均值低于 ${row.value} 时满仓，${otherwise}`
    const series = factor ? `全市场「${factor.label}」均值` : benchmarkName(market.benchmark, benchmark)
    return `${series}不低于其 ${row.value} 日均线时满仓，${otherwise}`
  })
  return `轮动日收盘判断；${rules.join('；')}${rules.length > 1 ? '；取其中最低的仓位' : ''}`
}

const stopFrom: Record<StopBase, string> = { cost: '持仓成本（减去期间所得现金分红、利息）', prev_close: '前收盘价' }

/** The rule beside the switch: users recompute it (domain.md 5.4). */
function stopText({ stop_type: type, base, ...method }: Parameters['stop_method']): string | null {
  const from = stopFrom[base ?? 'prev_close']
  const gain = `涨 ${rate(method.take_profit ?? 0)}`
  const loss = `跌 ${rate(method.stop_loss ?? 0)}`
  const intraday = '开盘已越过触发价的按开盘价、否则按触发价成交；开仓当日不判断，卖出的标的当日不再买回，其位置当日按无法买入处理'
  switch (type) {
    case 0:
      return null
    case 1:
      return `最高价较${from}${gain}时止盈；${intraday}`
    case 2:
      return `最低价较${from}${loss}时止损；${intraday}`
    case 3:
      return `最高价较${from}${gain}时止盈，最低价较${from}${loss}时止损；同日都触及的按先止损处理；${intraday}`
    case 4:
      return `收盘价较${from}${gain}或${loss}时按所选成交价卖出，同一收盘的名单不再买回`
    case 5:
      return `最高价较${from}涨 ${rate(method.activate ?? 0)}后，自最高价回撤 ${rate(method.drawdown ?? 0)}时卖出；日线无法证明先后的不算触发；卖出的标的当日不再买回，其位置当日按无法买入处理`
    default:
      return type satisfies never
  }
}

function costText(panel: Panel, market: Market, { cost, start_date, end_date }: Settings, ideal: boolean): string {
  const parts = [`买入费率 ${rate(cost.buy_rate)}，卖出费率 ${rate(cost.sell_rate)}`]
  if (cost.min_fee) parts.push(`每笔最低 ${cost.min_fee} 元`)
  if (cost.slippage) parts.push(`滑点 ${rate(cost.slippage)}，计入成交价`)
  if (cost.stamp_tax !== undefined && cost.stamp_tax > 0) parts.push(`卖出印花税 ${rate(cost.stamp_tax)}`)
  const some = panel.securities[0]
  if (ideal || some === undefined) return parts.join('；')
  const [then, now] = [market.fees(some, start_date), market.fees(some, end_date)]
  if (cost.stamp_tax === undefined && then.stampSell + now.stampSell > 0) {
    parts.push(`卖出印花税按成交日的法定税率（区间首日 ${rate(then.stampSell)}，末日 ${rate(now.stampSell)}）`)
  }
  if (then.transfer + now.transfer > 0) parts.push(`过户费按成交日的费率（区间首日 ${rate(then.transfer)}，末日 ${rate(now.transfer)}）`)
  return parts.join('；')
}

function adjustText(panel: Panel, market: Market, settings: Settings): string {
  const ideal = executions[settings.execution].frictionless
  const { adjusted } = adjustments[settings.adjust]
  if (market.roles.adjustment === null) {
    const isPaid = !ideal && !adjusted && panel.securities.some(({ terms }) => terms && terms.coupons.length > 0)
    return `价格为全价，不复权；${isPaid ? '票息在付息日计入现金（税前，条款已知的债券）' : ideal ? '付息未计入；能估算时年化收益旁写有约数，即持有的转债在付息日应得的票息折成每年（税前）' : '付息未计入'}`
  }
  if (!adjusted) {
    const isPaid = !ideal && panel.securities.some(({ exDays }) => exDays !== undefined)
    if (isPaid) return '价格不复权；除权除息日现金分红计入现金（税前），送转股计入持有数量；没有记录的除权除息按复权因子折算'
    return '价格不复权；分红送转按复权因子折算为持有数量，视同现金分红再投资'
  }
  const label = labelOf(adjustments, settings.adjust)
  if (!areAdjusted(panel, market, settings.adjust))
    return `行情是没有复权因子的未复权价，按${label}处理：不计算分红送转，除权日的价格缺口算作涨跌`
  return `价格按${label}数据处理，不再计算分红送转；成交数量为复权口径`
}

/** What a day's rule knew: of forward-adjusted prices more than anybody could. */
function knownText(panel: Panel, market: Market, { adjust }: Settings): string {
  const usual = '每日只用当日收盘及以前的数据'
  if (!areAdjusted(panel, market, adjust)) return usual
  if ((panel.adjust ?? adjust) === 'hfq') return `${usual}；后复权价不是当时的成交价，证券之间不能比较价格高低`
  return `除价格外，${usual}；前复权价从数据末日往前推算，历史价格里有当时还不知道的分红送转`
}

function rate(value: number): string {
  return value === 0 ? '0' : `${Number((value * 100).toPrecision(6))}%`
}

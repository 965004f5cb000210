import type { Settings } from '@convexa/contract'
import { boards } from '@convexa/contract/enums/board'
import type { Execution } from '@convexa/contract/enums/execution'
import { usualRules } from '../base/dated-rules.ts'
import { columnOf } from '../market/derived-columns.ts'
import type { Market } from '../market/market.ts'
import { areAdjusted, band, bandAlone } from '../market/price-limits.ts'
import type { Panel } from '../panel/panel.ts'

/** What decides which orders of a run are filled, and what was assumed where the data do not tell it. `members`: rules that are run together. */
export function executionText(panel: Panel, market: Market, settings: Settings, members: number): string {
  const texts: Record<Execution, () => string> = {
    ideal: () => '不计整手、涨跌停、成交额限制与交收限制，停牌不成交',
    realistic: () => {
      const isAdjusted = areAdjusted(panel, market, settings.adjust)
      const parts = [
        isAdjusted ? '复权价不是成交价，不计整手，可以买卖零碎数量' : '整手（最小单位按板块与日期）',
        `涨停不买、跌停不卖并逐日顺延${isAdjusted ? bandText(panel) : ''}`,
        '停牌不成交',
        panel.columns.has('amount')
          ? `每只每日成交不超过当日成交额的 10%${members > 1 ? '（各成员分别计）' : ''}`
          : '没有成交额，不限制单笔成交占比',
        market.settlement === 0 ? '当日可卖（T+0）' : '次日可卖（T+1）',
      ]
      return [parts.join('、'), ...unknownTexts(panel, market, settings)].join('；')
    },
  }
  return texts[settings.execution]()
}

/** Adjusted prices have no ticks: their limits are a band. */
function bandText({ columns }: Panel): string {
  const points = (width: number) => `${Number((100 * width).toPrecision(6))} 个百分点以内`
  const isWhole = columns.has('high') && columns.has('low')
  const ofClose = isWhole ? `收盘价是当日最高价或最低价且涨跌幅离限制 ${points(band)}，或其他价格离限制 ` : '涨跌幅离限制 '
  return `（复权价没有最小价位，${ofClose}${points(bandAlone)}，视为涨跌停）`
}

/** Trading days after which a listing is no new one. */
const seasoned = 1_000
/** A day on which the limits of ST shares were others than those of the rest. */
const before = '2020-01-02'

function unknownTexts(panel: Panel, market: Market, { start_date: start, end_date: end }: Settings): string[] {
  const main = panel.securities.find(({ board }) => boards[board].main)
  const rate = (date: string, isSt: boolean) => main && market.limitRates(main, date, seasoned, isSt, panel.rules)?.up
  const texts: string[] = []
  if (rate(before, true) !== rate(before, false)) {
    const isKnown = market.roles.st !== null && columnOf(panel, market.roles.st) !== undefined
    if (isKnown) texts.push(stText(panel, start, end))
    else if (rate(start, true) !== rate(start, false)) texts.push('没有 ST 标记，主板涨跌停一律按 10% 判断')
  }
  const unknown = market.redeemed ? 0 : panel.securities.filter(({ listed }) => listed === null).length
  if (unknown > 0) texts.push(`有 ${unknown} 只证券的上市日未知，不按新股的涨跌停判断`)
  return texts
}

/** Which limit ST shares of the main boards had in the range, by the rules as the operator has them. */
function stText({ rules = usualRules }: Panel, start: string, end: string): string {
  const { stLimitFrom: from } = rules
  const usual = usualRules.stLimitFrom as string
  if (from === null) return `主板 ST 股涨跌幅 5%${end >= usual ? `（按设置不采用 ${usual} 起的 10%）` : ''}`
  if (end < from) return `主板 ST 股涨跌幅 5%${end >= usual ? `（按设置 ${from} 起才为 10%）` : ''}`
  return start < from ? `主板 ST 股涨跌幅 5%，${from} 起 10%` : `主板 ST 股涨跌幅 10%（${from} 起）`
}

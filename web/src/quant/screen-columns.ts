import type { Kind } from '@convexa/contract/market'
import type { Parameters } from '@convexa/contract/strategy'
import { type Factors, familyOf, isChange, isFormula, shownAs } from './factors.ts'

/** How a column of the screen writes a factor. */
export interface ScreenColumn {
  ref: string
  /** With its unit: `规模(亿)`. */
  head: string
  title: string
  scale: number
  decimals: number
  width: number
  /** signed: red and green by size; small, large: the better, the bluer; counter: a bar of 15 days; none: no colour. */
  heat: 'signed' | 'small' | 'large' | 'counter' | 'none'
  /** Takes part in the score. */
  ranked: boolean
}

type Line = [ref: string, head: string, scale: number, decimals: number, heat: ScreenColumn['heat'], width?: number]

/** The columns shown besides the strategy's own factors, in order. */
const usual: Record<Kind, readonly Line[]> = {
  cb: [
    ['close', '现价(元)', 1, 3, 'none'],
    ['pct_chg', '涨跌幅', 100, 2, 'signed', 68],
    ['conv_prem', '溢价率(%)', 100, 1, 'small'],
    ['dblow', '双低', 1, 1, 'small', 68],
    ['ytm', 'YTM(%)', 100, 2, 'large', 72],
    ['remain_size', '规模(亿)', 1, 2, 'small', 72],
    ['left_years', '年限', 1, 2, 'none', 56],
    ['amount', '成交(亿)', 1e-4, 2, 'none', 70],
    ['call_count', '强赎计数', 1, 0, 'counter', 92],
  ],
  stk: [
    ['close', '现价(元)', 1, 2, 'none'],
    ['pct_chg', '涨跌幅', 100, 2, 'signed', 68],
    ['total_mv', '总市值(亿)', 1, 2, 'small', 80],
    ['pe_ttm', '市盈率', 1, 1, 'none', 60],
    ['pb', '市净率', 1, 2, 'none', 56],
    ['roe_ttm', 'ROE(%)', 100, 1, 'large', 66],
    ['dv_ratio', '股息率(%)', 100, 2, 'none', 78],
    ['pct_chg_20', '20日涨幅', 100, 1, 'signed', 74],
    ['turnover', '换手(%)', 100, 2, 'none', 68],
    ['amount', '成交(亿)', 1e-4, 2, 'none', 70],
  ],
}

/** Averages in the bar below the table. */
export const averages: Record<Kind, readonly (readonly [ref: string, label: string, scale: number, decimals: number, unit: string])[]> = {
  cb: [
    ['close', '平均现价', 1, 3, ''],
    ['conv_prem', '平均溢价率', 100, 1, '%'],
    ['remain_size', '平均规模', 1, 2, ' 亿'],
  ],
  stk: [
    ['total_mv', '平均市值', 1, 2, ' 亿'],
    ['pb', '平均市净率', 1, 2, ''],
    ['dv_ratio', '平均股息率', 100, 2, '%'],
  ],
}

/** A formula heads its column by its own text; all of it is behind the head. */
const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 23)}…` : text)

const widthOf = (head: string) => Math.max(64, [...head].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 255 ? 12 : 7), 0) + 24)

/**
 * The columns of a screen: price and change, the ranking factors, the market's usual ones, the filters' own.
 * A factor that the loaded data lack is left out, unless the strategy itself uses it.
 */
export function columnsOf(kind: Kind, parameters: Parameters, factors: Factors): ScreenColumn[] {
  const ranks = new Map(parameters.rank_factors.filter((row) => row.enable && row.weight > 0).map((row) => [row.factor_key, row.prefer]))
  const filters = parameters.filter_factors.filter((row) => row.enable).map((row) => row.factor_key)
  const lines = new Map(usual[kind].map((line) => [line[0], line]))
  const first = ['close', 'pct_chg']
  const order = [...new Set([...first, ...ranks.keys(), ...lines.keys(), ...filters])]
  return order.flatMap((ref) => {
    const factor = factors.of(ref)
    const mine = ranks.has(ref) || filters.includes(ref)
    if (!mine && factors.list.length > 0 && !factor?.available) return []
    const name = isFormula(ref) ? shortened(factors.nameOf(ref)) : factors.nameOf(ref)
    const title = isFormula(ref) ? factors.nameOf(ref) : [name, factor?.description].filter(Boolean).join('：')
    const prefer = ranks.get(ref)
    const line = lines.get(ref)
    if (line) {
      const [, head, scale, decimals, heat, width = widthOf(head)] = line
      return [
        {
          ref,
          head,
          title,
          scale,
          decimals,
          width: width + (prefer ? 16 : 0),
          heat: heat === 'signed' ? heat : (prefer ?? heat),
          ranked: prefer !== undefined,
        },
      ]
    }
    const shown = shownAs(factor)
    const head = shown.unit ? `${name}(${shown.unit.replace('亿元', '亿').replace('万元', '万')})` : name
    const heat = isChange(ref) ? ('signed' as const) : (prefer ?? ('none' as const))
    return [{ ref, head, title, scale: shown.scale, decimals: shown.decimals, width: widthOf(head), heat, ranked: prefer !== undefined }]
  })
}

/** The class of a cell's ground. `levels` holds the column's thresholds, see `thresholdsOf`. */
export function heatClass(
  column: ScreenColumn,
  value: number | null,
  levels: readonly [number, number, number] | undefined,
): string | undefined {
  if (value === null || column.heat === 'none' || column.heat === 'counter') return undefined
  if (column.heat === 'signed') {
    const size = Math.abs(value)
    if (Number((size * 100).toFixed(2)) === 0) return 'heat'
    // Moves grow with the root of the days they took.
    const days = Math.sqrt(familyOf(column.ref)?.window ?? 1)
    const level = size < 0.005 * days ? 1 : size < 0.015 * days ? 2 : 3
    return `heat heat-${value > 0 ? 'up' : 'down'}-${level}`
  }
  if (!levels) return 'heat'
  const better = (bound: number) => (column.heat === 'small' ? value <= bound : value >= bound)
  const level = better(levels[0]) ? 3 : better(levels[1]) ? 2 : better(levels[2]) ? 1 : 0
  return level > 0 ? `heat seq-${level}` : 'heat'
}

/** Bounds of the best tenth, the best 30 % and the better half of the pool. */
export function thresholdsOf(
  heat: ScreenColumn['heat'],
  values: readonly (number | null)[],
): readonly [number, number, number] | undefined {
  if (heat !== 'small' && heat !== 'large') return undefined
  const sorted = values.filter((value) => value !== null).sort((a, b) => (heat === 'small' ? a - b : b - a))
  if (sorted.length < 4) return undefined
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return [at(0.1), at(0.3), at(0.5)]
}

/** The mean of what is there; null of nothing. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null)
  return there.length === 0 ? null : there.reduce((sum, value) => sum + value, 0) / there.length
}

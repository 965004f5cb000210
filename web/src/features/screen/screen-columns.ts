import type { MarketId } from '@convexa/contract/enums/market'
import type { Parameters } from '@convexa/contract/strategy'
import { fixed, missing, signedPercent, tone } from '../../base/format.ts'
import { type ColumnHeat, marketViews } from '../../market/market-views.ts'
import { textColumns } from '../../market/text-columns.ts'
import type { Arrangeable } from '../../ui/grid/column-settings.ts'
import { dateText, type Factors, familyOf, isChange, isDate, isFormula, refOf, shownAs, wordsOf } from '../rule/factors.ts'

/** How a column of the screen writes a factor; its key is the factor's ref, its label has the unit: `规模(亿)`. */
export interface ScreenColumn extends Arrangeable {
  title: string
  scale: number
  decimals: number
  heat: ColumnHeat | 'date'
  /** Of `words`: what a value is called that is a place in this list. */
  words?: readonly string[] | undefined
}

/** Flags that are said by a word where they hold. */
const flags: Readonly<Record<string, readonly string[]>> = { is_st: ['', 'ST'] }

/** A formula heads its column by its own text; all of it is behind the head. */
const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 23)}…` : text)

const widthOf = (head: string) => Math.max(64, [...head].reduce((sum, letter) => sum + (letter.charCodeAt(0) > 255 ? 12 : 7), 0) + 24)

/**
 * The columns of a screen: price and change, the ranking factors, the market's usual ones, the filters' own; then all others that a
 * set or the user may ask for. A factor that the loaded data lack is left out, unless the strategy itself uses it.
 */
export function columnsOf(kind: MarketId, parameters: Parameters, factors: Factors): ScreenColumn[] {
  const ranks = new Map(parameters.rank_factors.filter((row) => row.enable && row.weight > 0).map((row) => [row.factor_key, row.prefer]))
  const filters = parameters.filter_factors.filter((row) => row.enable).map((row) => row.factor_key)
  const { columns: usualColumns, columnSets } = marketViews[kind]
  const lines = new Map(usualColumns.map((line) => [line[0], line]))
  const texts = new Map(textColumns[kind].map((column) => [column.key, column]))
  const usualTexts = [...texts.values()].filter(({ usual }) => usual).map(({ key }) => key)
  const numbers = [...lines.keys()].filter((ref) => !(ref in flags))
  // Numbers, then texts, then flags.
  const standard = new Set(['close', 'pct_chg', ...ranks.keys(), ...numbers, ...usualTexts, ...lines.keys(), ...filters])
  const all = new Set([
    ...standard,
    ...columnSets.flatMap(({ columns }) => columns),
    ...texts.keys(),
    ...factors.list.flatMap(({ factor_key: key, category, window }) =>
      category === '状态' ? [] : [window ? refOf(key, window.default) : key],
    ),
  ])
  return [...all].flatMap((ref): ScreenColumn[] => {
    const text = texts.get(ref)
    if (text) {
      const { key, label, title, width } = text
      const looks = { scale: 1, decimals: 0, heat: 'words', words: [], tinted: false } as const
      return [{ key, label, title, width, ...looks, group: '证券', grow: true, extra: !standard.has(key) }]
    }
    const factor = factors.of(ref)
    const mine = ranks.has(ref) || filters.includes(ref)
    const extra = !standard.has(ref)
    if (!mine && (extra || factors.list.length > 0) && !factor?.available) return []
    const name = isFormula(ref) ? shortened(factors.nameOf(ref)) : factors.nameOf(ref)
    const prefer = ranks.get(ref)
    const common = {
      key: ref,
      title: isFormula(ref) ? factors.nameOf(ref) : [name, factor?.description].filter(Boolean).join('：'),
      group: factor?.category ?? '公式',
      grow: true,
      auto: mine,
      extra,
      marked: prefer !== undefined,
    }
    const line = lines.get(ref)
    if (line) {
      const [, label, scale, decimals, own, width = widthOf(label)] = line
      const said = flags[ref]
      const heat = own === 'signed' || said ? own : (prefer ?? own)
      const looks = { heat, tinted: isTinted(heat), ...(said && { words: said }) }
      return [{ ...common, label, scale, decimals, width: width + (prefer ? 16 : 0), ...looks }]
    }
    const words = wordsOf(factor)
    if (words) {
      const width = Math.max(...words.map(widthOf), widthOf(name))
      return [{ ...common, label: name, scale: 1, decimals: 0, width: Math.min(width, 112), heat: 'words', words, tinted: false }]
    }
    const shown = shownAs(factor)
    if (isDate(factor)) return [{ ...common, label: name, scale: 1, decimals: 0, width: 96, heat: 'date', tinted: false }]
    const label = shown.unit ? `${name}(${shown.unit.replace('亿元', '亿').replace('万元', '万')})` : name
    const heat = isChange(ref) ? 'signed' : (prefer ?? 'none')
    return [{ ...common, label, scale: shown.scale, decimals: shown.decimals, width: widthOf(label), heat, tinted: isTinted(heat) }]
  })
}

const isTinted = (heat: ScreenColumn['heat']) => !untinted.has(heat)
const untinted: ReadonlySet<ScreenColumn['heat']> = new Set(['none', 'counter', 'date', 'words'])

/** A cell's words. */
export function cellText({ heat, scale, decimals, words }: ScreenColumn, value: number | null): string {
  if (heat === 'signed') return signedPercent(value)
  if (heat === 'date') return dateText(value)
  if (words) return (value === null ? undefined : words[value]) ?? missing
  return fixed(value === null ? null : value * scale, decimals)
}

/** The class of a cell's ground. `levels` holds the column's thresholds, see `thresholdsOf`. */
export function heatClass(
  column: ScreenColumn,
  value: number | null,
  levels: readonly [number, number, number] | undefined,
): string | undefined {
  if (value === null || (column.heat !== 'signed' && !isTinted(column.heat))) return undefined
  if (column.heat === 'signed') {
    const size = Math.abs(value)
    if (tone(value) === 'flat') return 'flat'
    const [low, high] = stepsOf(column)
    const level = size < low ? 1 : size < high ? 2 : 3
    return `heat heat-${value > 0 ? 'up' : 'down'}-${level}`
  }
  if (!levels) return undefined
  const better = (bound: number) => (column.heat === 'small' ? value <= bound : value >= bound)
  const level = better(levels[0]) ? 3 : better(levels[1]) ? 2 : better(levels[2]) ? 1 : 0
  return level > 0 ? `heat seq-${level}` : undefined
}

/** Where the second and the third tint of a change begin: moves grow with the root of the days they took. */
function stepsOf(column: ScreenColumn): [number, number] {
  const days = Math.sqrt(familyOf(column.key)?.window ?? 1)
  return [0.005 * days, 0.015 * days]
}

export interface LegendStep {
  look: string
  text: string
}

/** What each tint of a column means, in its own numbers. */
export function legendOf(column: ScreenColumn, levels: readonly [number, number, number] | undefined): LegendStep[] {
  if (column.heat === 'signed') {
    const [low, high] = stepsOf(column)
    return [
      { look: 'heat-down-3', text: `≤ ${signedPercent(-high, 1)}` },
      { look: 'heat-down-2', text: `≤ ${signedPercent(-low, 1)}` },
      { look: 'heat-down-1', text: '< 0' },
      { look: 'heat-up-1', text: '> 0' },
      { look: 'heat-up-2', text: `≥ ${signedPercent(low, 1)}` },
      { look: 'heat-up-3', text: `≥ ${signedPercent(high, 1)}` },
    ]
  }
  if (!levels) return []
  const sign = column.heat === 'small' ? '≤' : '≥'
  return levels
    .map((level, index) => ({ look: `seq-${3 - index}`, text: `${sign} ${fixed(level * column.scale, column.decimals)}` }))
    .reverse()
}

/** Bounds of the best tenth, the best 30 % and the better half of the pool. */
export function thresholdsOf(
  heat: ScreenColumn['heat'],
  values: readonly (number | null)[],
): readonly [number, number, number] | undefined {
  if (heat !== 'small' && heat !== 'large') return undefined
  // Bare: of 5,500 rows, for each tinted column, after each edit.
  const known = new Float64Array(values.length)
  let size = 0
  for (const value of values) if (value !== null) known[size++] = value
  const sorted = known.subarray(0, size).sort()
  if (heat === 'large') sorted.reverse()
  if (sorted.length < 4) return undefined
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return [at(0.1), at(0.3), at(0.5)]
}

/** How often each word is there, the most frequent first. */
export function countsOf(words: readonly (string | undefined)[]): [word: string, count: number][] {
  const counts = new Map<string, number>()
  for (const word of words) if (word !== undefined) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** The mean of what is there; null of nothing. */
export function meanOf(values: readonly (number | null)[]): number | null {
  const there = values.filter((value) => value !== null)
  return there.length === 0 ? null : there.reduce((sum, value) => sum + value, 0) / there.length
}

import type { MarketId } from '@convexa/contract/enums/market'
import type { MarketFigures } from '@convexa/contract/market'
import { fixed, percent, signedPercent, tone } from '../../base/format.ts'
import { type FigureLook, marketViews } from '../../market/market-views.ts'

export interface StripFigure {
  key: string
  label: string
  main: string
  tone: 'up' | 'down' | 'flat' | null
  /** Beside or under it: the level of an index, what a level was the day before. */
  sub: string
  /** What else is known of the same: 「平均价 131.208 元，低于 100 元占比 4.1%」; empty where nothing is. */
  more: string
  /** How it went lately; empty where that is not known. */
  history: readonly number[]
}

type Item = MarketFigures['items'][number]

/** Where a level has no day before it, nothing is said of it. */
function before({ value, change, unit }: Item): string {
  if (value === null || change === null) return ''
  return unit === null ? `前一日 ${percent(value - change, 1)}` : `前一日 ${fixed(value / (1 + change), 3)} ${unit}`
}

/** What a count counts. */
const countWords: Readonly<Record<string, string>> = { near_call: '再满足 1–5 日触发' }

const texts: Record<FigureLook, (item: Item) => Pick<StripFigure, 'main' | 'tone' | 'sub'>> = {
  change: ({ value, change, unit }) => ({
    main: signedPercent(change),
    tone: tone(change),
    sub: `${fixed(value, 2)} ${unit ?? ''}`.trim(),
  }),
  value: (item) => ({ main: item.unit === null ? percent(item.value, 1) : fixed(item.value, 3), tone: null, sub: before(item) }),
  count: ({ key, value, unit }) => ({ main: `${fixed(value, 0)} ${unit ?? ''}`.trim(), tone: null, sub: countWords[key] ?? '' }),
}

/** Related figures that are listed with a main one on request (`more`). */
const beside: Readonly<Record<string, readonly string[]>> = {
  cb_ew: ['traded', 'amount'],
  median_close: ['mean_close', 'share_below_100', 'share_above_130'],
  mean_conv_prem: ['median_conv_prem', 'mean_dblow', 'mean_ytm'],
}

function moreOf(key: string, items: readonly Item[]): string {
  const others = (beside[key] ?? []).flatMap((other) => items.find((one) => one.key === other) ?? [])
  const words = ({ label, value, unit }: Item) =>
    `${label} ${unit === null ? percent(value, 1) : `${fixed(value, unit === '只' ? 0 : 2)} ${unit}`}`
  return others.map(words).join('，')
}

const known = ({ history = [] }: Item): number[] => history.filter((value) => value !== null)

/** What the home page says of a market, in its order; a figure that the data lack is left out. */
export const stripOf = (kind: MarketId, items: readonly Item[]): StripFigure[] =>
  marketViews[kind].figures.flatMap(([key, how]) => {
    const item = items.find((one) => one.key === key)
    return item ? [{ key, label: item.label, ...texts[how](item), more: moreOf(key, items), history: known(item) }] : []
  })

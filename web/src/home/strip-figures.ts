import type { Kind, MarketFigures } from '@convexa/contract/market'
import { fixed, percent, signedPercent, tone } from '../ui/format.ts'

export interface StripFigure {
  key: string
  label: string
  main: string
  tone: 'up' | 'down' | 'flat' | null
  /** Beside or under it: the level of an index, what a level was the day before. */
  sub: string
}

type Item = MarketFigures['items'][number]

/** An index is told by its change, anything else by its value. */
const wanted: Record<Kind, readonly (readonly [key: string, how: 'change' | 'value'])[]> = {
  cb: [
    ['cb_ew', 'change'],
    ['median_close', 'value'],
    ['mean_conv_prem', 'value'],
    ['share_up', 'value'],
  ],
  stk: [
    ['stk_ew', 'change'],
    ['000300', 'change'],
    ['000852', 'change'],
    ['932000', 'change'],
  ],
}

/** Where a level has no day before it, nothing is said of it. */
function before({ value, change, unit }: Item): string {
  if (value === null || change === null) return ''
  return unit === null ? `昨日 ${percent(value - change, 1)}` : `昨日 ${fixed(value / (1 + change), 3)} ${unit}`
}

const figureOf = (item: Item, how: 'change' | 'value'): StripFigure => {
  const { key, label, value, change, unit } = item
  return how === 'change'
    ? { key, label, main: signedPercent(change), tone: tone(change), sub: `${fixed(value, 2)} ${unit ?? ''}`.trim() }
    : { key, label, main: unit === null ? percent(value, 1) : fixed(value, 3), tone: null, sub: before(item) }
}

/** What the home page says of a market, in its order; a figure that the data lack is left out. */
export const stripOf = (kind: Kind, items: readonly Item[]): StripFigure[] =>
  wanted[kind].flatMap(([key, how]) => {
    const item = items.find((one) => one.key === key)
    return item ? [figureOf(item, how)] : []
  })

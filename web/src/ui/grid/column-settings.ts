/** What a user may arrange of a column. */
export interface Arrangeable {
  key: string
  label: string
  width: number
  grow?: boolean
  pinned?: 'left' | 'right' | undefined
  /** Cannot be hidden or moved; pinned ones name the row and stand before the frozen ones. */
  always?: boolean
  /** Comes with every set unless it is hidden by hand: the page's own subject needs it. */
  auto?: boolean
  /** Only where a set or the user names it. */
  extra?: boolean
  /** Under which it is listed in 列设置. */
  group?: string
  /** With a ◆ behind its name. */
  marked?: boolean
  /** Its cells can be tinted. */
  tinted?: boolean
}

export interface ColumnSet {
  key: string
  label: string
  columns: readonly string[]
}

/** How a user has arranged the columns of one screen. */
export interface ColumnSettings {
  /** A set's key, `default` or `own`. */
  set: string
  /** The columns of the own set, in order. */
  order: readonly string[]
  hidden: readonly string[]
  widths: Readonly<Record<string, number>>
  frozen: readonly string[]
  /** Without their tint. */
  plain: readonly string[]
  /** The rows keep their own order, whatever head is clicked. */
  locked: boolean
}

export const untouched: ColumnSettings = { set: 'default', order: [], hidden: [], widths: {}, frozen: [], plain: [], locked: false }

export const leastWidth = 40
export const mostWidth = 480
const clampWidth = (width: number) => Math.round(Math.max(leastWidth, Math.min(width, mostWidth)))

/** The columns between the fixed ones and the right edge, in order: those of the set, then what comes along by itself. */
export function shownKeys(
  columns: readonly Pick<Arrangeable, 'key' | 'always' | 'auto' | 'extra'>[],
  sets: readonly ColumnSet[],
  settings: ColumnSettings,
): string[] {
  const known = new Set(columns.filter(({ always }) => !always).map(({ key }) => key))
  const standard = columns.filter(({ always, extra }) => !always && !extra).map(({ key }) => key)
  const auto = columns.filter(({ always, auto: comes }) => !always && comes).map(({ key }) => key)
  const set = sets.find(({ key }) => key === settings.set)
  const wanted = settings.set === 'own' ? [...settings.order, ...auto] : set ? [...auto, ...set.columns] : standard
  const hidden = new Set(settings.hidden)
  return [...new Set(wanted)].filter((key) => known.has(key) && !hidden.has(key))
}

/** The columns as the user wants to see them: the row's name, the frozen ones, the others, those pinned at the right. */
export function arrange<C extends Arrangeable>(columns: readonly C[], sets: readonly ColumnSet[], settings: ColumnSettings): C[] {
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const frozen = new Set(settings.frozen)
  const sized = (column: C): C => {
    const width = settings.widths[column.key]
    return width === undefined ? column : { ...column, width, grow: false }
  }
  const shown = shownKeys(columns, sets, settings).flatMap((key) => byKey.get(key) ?? [])
  const left = shown.filter(({ key }) => frozen.has(key)).map((column): C => ({ ...column, pinned: 'left' }))
  const others = shown.filter(({ key, pinned }) => !frozen.has(key) && pinned !== 'right')
  const right = shown.filter(({ key, pinned }) => !frozen.has(key) && pinned === 'right')
  const first = columns.filter(({ always, pinned }) => always && pinned === 'left')
  const fixed = columns.filter(({ always, pinned }) => always && pinned !== 'left')
  return [...first, ...left, ...fixed, ...others, ...right].map(sized)
}

const own = (settings: ColumnSettings, order: readonly string[]): ColumnSettings => ({ ...settings, set: 'own', order })
const without = (list: readonly string[], key: string) => list.filter((one) => one !== key)

/** Takes a column to another place among those shown, which makes the arrangement the user's own. */
export function moved(settings: ColumnSettings, shown: readonly string[], key: string, to: number): ColumnSettings {
  const order = without(shown, key)
  order.splice(Math.max(0, Math.min(to, order.length)), 0, key)
  return own(settings, order)
}

export function ticked(settings: ColumnSettings, shown: readonly string[], key: string, on: boolean): ColumnSettings {
  if (!on) return { ...own(settings, without(shown, key)), hidden: [...without(settings.hidden, key), key] }
  return { ...own(settings, [...without(shown, key), key]), hidden: without(settings.hidden, key) }
}

/** Null takes the width back to the column's own. */
export function widened(settings: ColumnSettings, key: string, width: number | null): ColumnSettings {
  const { [key]: _, ...others } = settings.widths
  return { ...settings, widths: width === null ? others : { ...others, [key]: clampWidth(width) } }
}

export const listed = (list: readonly string[], key: string, on: boolean): readonly string[] =>
  on ? [...without(list, key), key] : without(list, key)

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string').slice(0, 500) : []

/** Settings as the browser kept them; what cannot be read is as if untouched. */
export function readSettings(stored: unknown): ColumnSettings {
  if (typeof stored !== 'object' || stored === null) return untouched
  const { set, order, hidden, widths, frozen, plain, locked } = stored as Record<string, unknown>
  const sizes = typeof widths === 'object' && widths !== null ? Object.entries(widths) : []
  return {
    set: typeof set === 'string' ? set : 'default',
    order: strings(order),
    hidden: strings(hidden),
    widths: Object.fromEntries(sizes.flatMap(([key, width]) => (Number.isFinite(width) ? [[key, clampWidth(width as number)]] : []))),
    frozen: strings(frozen),
    plain: strings(plain),
    locked: locked === true,
  }
}

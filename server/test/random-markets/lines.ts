/** The rows of a made-up market as lines of texts, in the shape's writings, with its slip in one of them. */
import type { Random } from '../../src/market/demo/random.ts'
import {
  cellUnits,
  decimal,
  flagWords,
  foreignUnits,
  pointMoved,
  ratingWritings,
  scientific,
  type Unit,
  unknownFlagWords,
  unknownRatings,
  unreadableNumbers,
  withCommas,
} from './cell-writings.ts'
import { unreadableCodes } from './code-writings.ts'
import { daysOutside, unreadableDates } from './date-writings.ts'
import type { Shape } from './shape.ts'
import { type Gaps, gapAt, priceFields, priceText, sourcePrice } from './source.ts'
import { carried, type Truth, type TruthRow } from './truth.ts'

/** A line of a file: the day and the security that it tells of, and its cells by column key (`code`, `date`, `name`, a field …). */
export interface Line {
  readonly t: number
  readonly i: number
  readonly cells: Readonly<Record<string, string>>
}

export interface Lines {
  readonly lines: readonly Line[]
  /** What the slip did, and where; null where the shape has none. */
  readonly slipped: Slipped | null
}

interface Slipped {
  readonly t: number
  readonly i: number
  /** The column and the text that cannot be read, for the report of a refusal; null where the lines are whole. */
  readonly column: string | null
  readonly text: string | null
}

const one = <T>(random: Random, list: readonly T[]): T => list[random.whole(0, list.length - 1)]!

/** @param until the source has the days before this one */
export function writeLines(random: Random, truth: Truth, shape: Shape, gaps: Gaps, until: number): Lines {
  const unitOf = chooseCellUnits(random, shape)
  const zeros = random.chance(0.5)
  const date = shape.slip === 'unreadable dates' ? one(random, unreadableDates) : null
  const code = shape.slip === 'unreadable codes' ? one(random, unreadableCodes) : null
  const lines = truth.securities.flatMap((security, i): Line[] =>
    security.rows.flatMap((row, t): Line[] => {
      const day = truth.days[t]!
      const place = { date: (date ?? one(random, shape.dates)).text(day), code: (code ?? one(random, shape.codes)).text(security.code) }
      const about = { ...place, ...textsOf(random, truth, shape, i, t) }
      if (row === null) return shape.hasListed && outside(security, t) ? [{ t, i, cells: { ...about, ...unlisted(random, shape) } }] : []
      return [
        {
          t,
          i,
          cells: {
            ...about,
            ...flagsOf(random, shape, row),
            ...numbersOf(random, shape, row, { unitOf, zeros, ofSource: sourceOf(truth, shape, { t, i, gaps, until }) }),
          },
        },
      ]
    }),
  )
  if (date || code) {
    const [first] = lines
    const column = date ? 'date' : 'code'
    // Any of them is an example.
    const text = [...new Set(lines.map(({ cells }) => cells[column]!.trim()))].join('|')
    return { lines, slipped: { t: first!.t, i: first!.i, column, text } }
  }
  return withSlip(random, truth, shape, shape.hasVersions ? withVersions(random, lines) : lines)
}

/** Some lines as they were before they were corrected, beside those that hold. */
const withVersions = (random: Random, lines: readonly Line[]): Line[] =>
  lines.flatMap((line) => {
    const old = { ...line.cells, close: line.cells['open'] ?? '', amount: '1', update_flag: '0' }
    return [{ ...line, cells: { ...line.cells, update_flag: '1' } }, ...(random.chance(0.1) ? [{ ...line, cells: old }] : [])]
  })

const outside = ({ first, last }: { first: number; last: number }, t: number): boolean => t < first || t > last

/** What vendors write of a security that is not listed yet, or not any more. */
const unlisted = (random: Random, { fields, flags }: Shape): Record<string, string> => ({
  ...Object.fromEntries(fields.map((field) => [field, field === 'close' || field === 'open' ? '100' : ''])),
  listed: flags === 'digits' ? '0' : one(random, flagWords.listed.no),
  traded: flags === 'digits' ? '0' : one(random, flagWords.traded.no),
})

function textsOf(random: Random, { securities }: Truth, { hasNames }: Shape, i: number, t: number): Record<string, string> {
  const { names, stockCode, rows } = securities[i]!
  const last = rows.findLastIndex((row) => row !== null)
  const name = names.findLast(({ from }) => from <= t)?.name ?? names[0]!.name
  return {
    ...(hasNames && { name: t < last && random.chance(0.05) ? '' : name }),
    ...(stockCode !== undefined && { stock_code: stockCode }),
  }
}

function flagsOf(random: Random, { hasTraded, hasListed, idle, flags }: Shape, { isTraded }: TruthRow): Record<string, string> {
  // Without a word of its own a row is judged by its volume, which says the same.
  const isSilent = hasTraded && idle !== 'flag' && flags === 'words' && random.chance(0.05)
  return {
    ...(hasTraded && {
      traded: isSilent ? '' : flags === 'digits' ? String(Number(isTraded)) : one(random, flagWords.traded[isTraded ? 'yes' : 'no']),
    }),
    ...(hasListed && { listed: flags === 'digits' ? '1' : one(random, flagWords.listed.yes) }),
  }
}

interface Writing {
  readonly unitOf: Readonly<Record<string, Unit>>
  /** Rows of suspended days have open, high and low of 0. */
  readonly zeros: boolean
  /** The number of the source's table as a text in the field's own unit; null where it has none. */
  readonly ofSource: (field: string) => string | null
}

interface SourcePlace {
  readonly t: number
  readonly i: number
  readonly gaps: Gaps
  readonly until: number
}

function sourceOf({ securities }: Truth, shape: Shape, { t, i, gaps, until }: SourcePlace): Writing['ofSource'] {
  const security = securities[i]!
  const row = security.rows[t]!
  return (field) => {
    const value = row.values[field] ?? null
    if (value === null || gaps.has(gapAt(field, t, i))) return null
    if (priceFields.has(field) && shape.kind === 'stk') return priceText(sourcePrice(shape, security, row, field, until), shape.digits)
    return decimal(shape.kind, field, value)
  }
}

function chooseCellUnits(random: Random, { kind, fields, numbers }: Shape): Record<string, Unit> {
  if (numbers !== 'units in cells') return {}
  return Object.fromEntries(
    fields.flatMap((field) => {
      const units = cellUnits[kind][field]
      return units && random.chance(0.6) ? [[field, one(random, units)]] : []
    }),
  )
}

function numbersOf(random: Random, shape: Shape, row: TruthRow, { unitOf, zeros, ofSource }: Writing): Record<string, string> {
  const { kind, fields, units, numbers, empty, flags } = shape
  const cells: Record<string, string> = {}
  for (const field of fields) {
    if (field === 'rating') {
      const word = row.words['rating'] ?? null
      cells[field] = word === null ? one(random, empty) : flags === 'words' ? one(random, ratingWritings)(word) : word
      continue
    }
    const text = ofSource(field)
    const value = row.values[field]
    if (text === null) cells[field] = one(random, empty)
    else if (field.startsWith('is_st'))
      cells[field] = flags === 'words' ? one(random, flagWords.st[value === 1 ? 'yes' : 'no']) : String(value)
    else if (!row.isTraded && isOfIdle(field)) cells[field] = idleCell(random, shape, { field, zeros, value: text })
    // What did not change need not be said again on a day without a trade.
    else if (
      !row.isTraded &&
      !['close', 'adj_factor', shape.holds?.field].includes(field) &&
      carried[kind].has(field) &&
      random.chance(0.3)
    )
      cells[field] = one(random, empty)
    else {
      const own = unitOf[field]
      if (own) cells[field] = `${pointMoved(text, own.point)}${own.unit}`
      else {
        const plain = pointMoved(text, units[field]?.point ?? 0)
        cells[field] = numbers === 'commas' ? withCommas(plain) : numbers === 'scientific' && random.chance(0.3) ? scientific(plain) : plain
      }
    }
  }
  return cells
}

const isOfIdle = (field: string): boolean => ['open', 'high', 'low', 'vol', 'amount', 'turnover'].includes(field)

/** Cells of a day on which it stood still, as the source writes such days. */
function idleCell(
  random: Random,
  { idle, empty }: Shape,
  { field, zeros, value }: { field: string; zeros: boolean; value: string },
): string {
  if (field === 'open' || field === 'high' || field === 'low') return zeros ? '0' : value
  if (field === 'turnover') return random.chance(0.5) ? '0' : ''
  if (idle === 'empty volume') return one(random, empty)
  if (idle === 'tiny volume') return '5.877472e-39'
  return idle === 'flag' && random.chance(0.3) ? '' : '0'
}

/** One line is made wrong. It is one of a security that is there throughout, away from its ex-days, so that nothing else is touched. */
function withSlip(random: Random, truth: Truth, shape: Shape, lines: readonly Line[]): Lines {
  const { slip } = shape
  if (slip === 'none') return { lines, slipped: null }
  const i = random.whole(0, 3)
  const { exDays } = truth.securities[i]!
  const last = truth.days.length - (slip === 'level step' ? 6 : 4)
  const calm = Array.from({ length: Math.max(0, last - 8) }, (_, k) => k + 8).filter((t) => exDays.every((day) => Math.abs(day - t) > 2))
  if (calm.length === 0) return { lines, slipped: null }
  const t = one(random, calm)
  const at = lines.findIndex((line) => line.i === i && line.t === t)
  const line = lines[at]!
  const told = (column: string | null, text: string | null): Slipped => ({ t, i, column, text })
  const withCell = (column: string, text: string): Lines => ({
    lines: lines.with(at, { ...line, cells: { ...line.cells, [column]: text } }),
    slipped: told(column, text),
  })
  switch (slip) {
    case 'equal double':
      return { lines: [...lines, line], slipped: told(null, null) }
    case 'different double': {
      const other = { ...line, cells: { ...line.cells, open: line.cells['close']!, close: line.cells['open']! } }
      return line.cells['open'] === line.cells['close'] ? { lines, slipped: null } : { lines: [...lines, other], slipped: told(null, null) }
    }
    case 'unreadable number':
      return withCell('close', one(random, unreadableNumbers))
    case 'foreign unit': {
      const [field, unit] = one(
        random,
        foreignUnits.filter(([name]) => shape.fields.includes(name)),
      )
      return withCell(field, `1.5${unit}`)
    }
    case 'unreadable date':
      return withCell('date', one(random, ['2024-13-45', '1/2/2024', '某日', '']))
    case 'unreadable code':
      return withCell('code', one(random, ['6.00001E+05', '某某股份', '']))
    case 'empty listed':
      return withCell('listed', '')
    case 'unknown flag':
      return withCell(shape.hasTraded ? 'traded' : 'listed', one(random, unknownFlagWords))
    case 'unknown rating':
      return withCell('rating', one(random, unknownRatings))
    case 'day outside': {
      const [writing] = shape.dates
      return withCell('date', writing!.text(writing!.parquet ? '2041-01-02' : one(random, daysOutside)))
    }
    default:
      return { lines: lines.map((each) => (each.i === i ? scaled(each, shape, t) : each)), slipped: told(null, null) }
  }
}

/** Prices of one day, or of all from a day on, on another level without a word of why. */
function scaled(line: Line, { slip }: Shape, t: number): Line {
  const isStep = slip === 'level step'
  if (isStep ? line.t < t : line.t !== t) return line
  const by = isStep ? 0.25 : 3
  const cells = { ...line.cells }
  for (const field of ['close', 'open', 'high', 'low', 'amount', ...(isStep && line.t > t ? ['pre_close'] : [])]) {
    const [, number, unit] = /^([\d,.]+(?:e[+-]?\d+)?)(.*)$/.exec(cells[field] ?? '') ?? []
    if (number !== undefined) cells[field] = `${Number((Number(number.replaceAll(',', '')) * by).toFixed(6))}${unit}`
  }
  return { ...line, cells }
}

/** Coupons out of a bond's text, `20200414-20210413,票面利率:0.40%;…`: each piece by its dates, never by its place. */
import { addDays, daysBetween } from '../calendar.ts'

/** Steps of a usual bond, for later years. */
const usualCoupons = [0.3, 0.5, 1, 1.5, 1.8, 2]
/** Days by which pieces and anniversaries may differ: 29 February, a first day that counts or does not. */
const slack = 3

/** Yuan per 100 of face by year of interest, null where the text leaves a year open; how many later years have usual ones. */
export interface Coupons {
  readonly yearly: (number | null)[]
  readonly filled: number
}

interface Piece {
  readonly from: string
  /** First day that is not of it. */
  readonly to: string
  /** NaN: the piece does not say it. */
  readonly percent: number
}

/**
 * A year of two pieces has the mean of their rates by days. A piece without a rate, or days that no piece is of, leave their year unknown. The
 * text of a bond that ended early ends with it: its last year has the rate of the last piece, and later years have usual coupons, because
 * values that only survivors have would tell who survives.
 */
export function couponsOf(clause: string | number | null, years: string | number | null, valueDate: string | null = null): Coupons {
  const pieces = piecesIn(String(clause))
  if (pieces.length === 0 || typeof years !== 'number' || !(years > 0 && years <= 10)) return { yearly: [], filled: 0 }
  const begin = pieces[0]!.from
  const start = valueDate !== null && Math.abs(daysBetween(valueDate, begin)) > 31 ? valueDate : begin
  const end = pieces.at(-1)!.to
  const yearly: (number | null)[] = []
  let said = 0
  while (yearly.length < years) {
    const [from, to] = [anniversary(start, yearly.length), anniversary(start, yearly.length + 1)]
    if (daysBetween(from, end) > slack) {
      yearly.push(ofYear(pieces, from, to, end))
      said++
    } else {
      const before = Math.max(0, ...yearly.flatMap((coupon) => coupon ?? []))
      yearly.push(Math.max(before, usualCoupons[Math.min(yearly.length, usualCoupons.length - 1)]!))
    }
  }
  return { yearly, filled: yearly.length - said }
}

const yearNames = '一二三四五六七八九十'

/** Per cents by year out of `第一年0.30%、第二年0.50%…`, each by the year that it names, null where the words skip one; without such names in their order. */
export function couponsByYear(text: string): (number | null)[] {
  const named = [...text.matchAll(/第([一二三四五六七八九十\d]+)年[^第\d]*(\d+(?:\.\d+)?)?/g)]
  if (named.length === 0) return [...text.matchAll(/(\d+(?:\.\d+)?)\s*[%％]/g)].map(([, percent]) => Number(percent))
  const years: (number | null)[] = []
  for (const [, name = '', percent] of named) {
    const year = /^\d+$/.test(name) ? Number(name) : yearNames.indexOf(name) + 1
    if (year < 1 || year > 10) continue
    while (years.length < year) years.push(null)
    if (percent !== undefined) years[year - 1] = Number(percent)
  }
  return years
}

function piecesIn(text: string): Piece[] {
  return text
    .split(/[;；]/)
    .flatMap((words): Piece[] => {
      const dates = /(\d{4})(\d{2})(\d{2})\s*[-~—至]\s*(\d{4})(\d{2})(\d{2})/.exec(words)
      if (!dates) return []
      const [, y, m, d, toY, toM, toD] = dates
      const percent = /票面利率\s*[:：]?\s*(\d+(?:\.\d+)?)/.exec(words)?.[1]
      return [{ from: `${y}-${m}-${d}`, to: addDays(`${toY}-${toM}-${toD}`, 1), percent: Number(percent ?? Number.NaN) }]
    })
    .sort((a, b) => (a.from < b.from ? -1 : 1))
}

/** `end`: where the text ends; the year in which it does is cut short there and has no gap behind it. */
function ofYear(pieces: readonly Piece[], from: string, to: string, end: string): number | null {
  const upTo = end < to ? end : to
  const length = daysBetween(from, upTo)
  const parts = pieces
    .filter((piece) => piece.to > from && piece.from < upTo)
    .map((piece) => ({
      days: daysBetween(piece.from > from ? piece.from : from, piece.to < upTo ? piece.to : upTo),
      percent: piece.percent,
    }))
    .filter(({ days }) => days > Math.min(slack, length - 1))
  const covered = parts.reduce((sum, { days }) => sum + days, 0)
  if (covered < length - slack) return null
  const rates = new Set(parts.map(({ percent }) => percent))
  const mean = rates.size === 1 ? [...rates][0]! : parts.reduce((sum, { days, percent }) => sum + days * percent, 0) / covered
  return mean === mean ? Number(mean.toFixed(6)) : null
}

/** 29 February becomes the 28th; the days of difference are within the slack. */
const anniversary = (date: string, years: number): string =>
  `${Number(date.slice(0, 4)) + years}${date.slice(4).replace('-02-29', '-02-28')}`

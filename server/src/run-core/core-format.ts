import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type CoreMembers, type CoreReport, type DailySeries, withDailyFigures } from '@convexa/engine'
import { columnsOf, planesOf } from './byte-planes.ts'
import { bitsOf, datesOf, packFlags, unpackFlags } from './calendar-bits.ts'
import { type Expected, stepsOf, valuesOfSteps } from './steps.ts'

// Core of a finished run: what cannot be told without its data again, in some fifty kilobytes. Format 2 is `CVX2`, then frames, each its
// length (uint32, little-endian) and zstd:
//
// head      JSON: the report's members without the daily figures, and what the series has beside its columns
// columns   the count of holdings as uint16 (little-endian), then the daily values as doubles in planes of bytes, in the order below
// grossNav  the net value before costs, as steps from what net value and cost let expect
// exposure  as steps from what it would be with the cash of the day before
// days      a bit for each day of the calendar from the first day of the run on
//
// Format 1, `CVX1`, is read as well: there grossNav is a column after bench, exposure one after turnover, and the frames are head, columns, days.

export const coreFormat = 2
const magics = [Buffer.from('CVX1'), Buffer.from('CVX2')] as const
const frameCounts = [3, 5] as const
const level = 9
/** Bytes that a frame may be opened to: of a damaged one no more is made. */
const mostBytes = 64 * 1024 * 1024

export interface RunCore {
  readonly members: CoreMembers
  readonly series: DailySeries
}

/** The market at equal weights follows where there is one. */
const columns = ['nav', 'bench', 'turnover', 'cost'] as const
const columnsBefore = ['nav', 'bench', 'grossNav', 'turnover', 'exposure', 'cost'] as const

interface Head extends Pick<DailySeries, 'before' | 'after'> {
  readonly members: CoreMembers
  readonly first: string
  readonly days: number
  /** Flags in base64; null: known on every day. */
  readonly known: string | null
}

/** `members`: of the engine, and those that the server adds. */
export function encodeCore<M extends CoreMembers>(members: M, series: DailySeries): Buffer {
  const { dates, market, known, holdCount, before, after } = series
  const { first, bits } = bitsOf(dates)
  const head: Head = {
    members,
    ...{ first, days: dates.length, before, after },
    known: known && Buffer.from(packFlags(known)).toString('base64'),
  }
  const counts = Buffer.alloc(2 * dates.length)
  for (const [day, count] of holdCount.entries()) counts.writeUInt16LE(count, 2 * day)
  const planes = planesOf([...columns.map((name) => series[name]), ...(market ? [market] : [])])
  const frames = [
    Buffer.from(JSON.stringify(head)),
    Buffer.concat([counts, planes]),
    stepsOf(series.grossNav, grossFrom(series, capitalOf(members))),
    stepsOf(series.exposure, exposureFrom(series)),
    bits,
  ]
  return Buffer.concat([magics[coreFormat - 1]!, ...frames.flatMap(framed)])
}

const capitalOf = ({ settings }: Pick<CoreMembers, 'settings'>): number => settings.capital * 10_000

/** Each day's return with its costs given back; `capital` in yuan. */
const grossFrom =
  ({ nav, cost }: Pick<DailySeries, 'nav' | 'cost'>, capital: number): Expected =>
  (day, gross) => {
    const [before, value] = day === 0 ? [1, 1] : [nav[day - 1]!, gross[day - 1]!]
    return before === 0 ? value : value * ((nav[day]! * capital + cost[day]!) / (before * capital))
  }

/** Cash stays where nothing is traded and nothing is paid. */
const exposureFrom =
  ({ nav }: Pick<DailySeries, 'nav'>): Expected =>
  (day, exposure) => {
    if (day === 0 || nav[day] === 0) return 0
    return (nav[day]! - nav[day - 1]! * (1 - exposure[day - 1]!)) / nav[day]!
  }

/** @throws Error the bytes are no core of a known format */
export function decodeCore(bytes: Uint8Array): RunCore {
  const { format, frames } = framesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const [headBytes, columnBytes, bits] = [frames[0]!, frames[1]!, frames.at(-1)!]
  const { members, first, days, known, before, after } = JSON.parse(headBytes.toString('utf8')) as Head
  const names: readonly string[] = format === 1 ? columnsBefore : columns
  const values = columnsOf(columnBytes.subarray(2 * days), days)
  if (values.length < names.length) throw new Error('a core without its columns')
  const column = (name: (typeof columnsBefore)[number]) => values[names.indexOf(name)]!
  const [nav, bench, turnover, cost, market = null] = [
    column('nav'),
    column('bench'),
    column('turnover'),
    column('cost'),
    values[names.length],
  ]
  const grossNav = format === 1 ? column('grossNav') : valuesOfSteps(frames[2]!, days, grossFrom({ nav, cost }, capitalOf(members)))
  const exposure = format === 1 ? column('exposure') : valuesOfSteps(frames[3]!, days, exposureFrom({ nav }))
  const series: DailySeries = {
    dates: datesOf({ first, bits }),
    ...{ nav, bench, market, grossNav, turnover, exposure, cost, before, after },
    known: known === null ? null : unpackFlags(Buffer.from(known, 'base64'), days),
    holdCount: Float64Array.from({ length: days }, (_, day) => columnBytes.readUInt16LE(2 * day)),
  }
  if (series.dates.length !== days) throw new Error('a core whose days are not those of its values')
  return { members, series }
}

/** The report of a core: all of it that needs no data. */
export const coreReportOf = ({ members, series }: RunCore): CoreReport => withDailyFigures(members, series)

function framed(bytes: Uint8Array): [Buffer, Buffer] {
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 } })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  return [length, packed]
}

function framesOf(bytes: Buffer): { format: number; frames: readonly Buffer[] } {
  const format = 1 + magics.findIndex((magic) => bytes.subarray(0, magic.length).equals(magic))
  if (format === 0) throw new Error('these bytes are no core of a run')
  let at = magics[0].length
  const next = (): Buffer => {
    const length = bytes.readUInt32LE(at)
    const packed = bytes.subarray(at + 4, at + 4 + length)
    if (packed.length !== length) throw new Error('a core that ends too early')
    at += 4 + length
    return zstdDecompressSync(packed, { maxOutputLength: mostBytes })
  }
  return { format, frames: Array.from({ length: frameCounts[format - 1]! }, next) }
}

import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { type CoreReport, type DailyFigures, type DailySeries, dailyFigures } from '@convexa/engine'
import { columnsOf, planesOf } from './byte-planes.ts'
import { bitsOf, datesOf, packFlags, unpackFlags } from './calendar-bits.ts'

// Core of a finished run, format 1: what cannot be told without its data again, in some fifty kilobytes. `CVX1`, then three frames, each its
// length (uint32, little-endian) and zstd:
//
// head     JSON: the report's members without the daily figures, and what the series has beside its columns
// columns  the count of holdings as uint16 (little-endian), then the daily values as doubles in planes of bytes, in the order below
// days     a bit for each day of the calendar from the first day of the run on

export const coreFormat = 1
const magic = Buffer.from('CVX1')
const level = 9
/** Bytes that a frame may be opened to: of a damaged one no more is made. */
const mostBytes = 64 * 1024 * 1024

/** A report as its core keeps it, with the members that the server adds. */
type CoreMembers = Omit<CoreReport, keyof DailyFigures>

export interface RunCore {
  readonly members: CoreMembers
  readonly series: DailySeries
}

/** The market at equal weights follows where there is one. */
const columns = ['nav', 'bench', 'grossNav', 'turnover', 'exposure', 'cost'] as const

interface Head extends Pick<DailySeries, 'before' | 'after'> {
  readonly members: CoreMembers
  readonly first: string
  readonly days: number
  /** Flags in base64; null: known on every day. */
  readonly known: string | null
}

/** `report`: its daily figures are left out, since the series gives them again. */
export function encodeCore<R extends CoreReport>(report: R, series: DailySeries): Buffer {
  const { dates, market, known, holdCount, before, after } = series
  const { first, bits } = bitsOf(dates)
  const head: Head = {
    members: withoutFigures(report),
    ...{ first, days: dates.length, before, after },
    known: known && Buffer.from(packFlags(known)).toString('base64'),
  }
  const counts = Buffer.alloc(2 * dates.length)
  for (const [day, count] of holdCount.entries()) counts.writeUInt16LE(count, 2 * day)
  const planes = planesOf([...columns.map((name) => series[name]), ...(market ? [market] : [])])
  return Buffer.concat([magic, ...framed(Buffer.from(JSON.stringify(head))), ...framed(Buffer.concat([counts, planes])), ...framed(bits)])
}

/** @throws Error the bytes are no core of this format */
export function decodeCore(bytes: Uint8Array): RunCore {
  const [headBytes, columnBytes, bits] = framesOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const { members, first, days, known, before, after } = JSON.parse(headBytes.toString('utf8')) as Head
  const [nav, bench, grossNav, turnover, exposure, cost, market = null] = columnsOf(columnBytes.subarray(2 * days), days)
  if (!nav || !bench || !grossNav || !turnover || !exposure || !cost) throw new Error('a core without its columns')
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
export function coreReportOf({ members, series }: RunCore): CoreReport {
  // In the order in which a report has them: the daily figures follow the metrics.
  const entries = Object.entries(members).flatMap((member) =>
    member[0] === 'benchmark_metrics' ? [member, ...Object.entries(dailyFigures(series))] : [member],
  )
  return Object.fromEntries(entries) as unknown as CoreReport
}

function withoutFigures(report: CoreReport): CoreMembers {
  const {
    metric_meta: _meta,
    curves: _curves,
    gross_nav: _gross,
    yearly: _yearly,
    monthly: _monthly,
    weekly: _weekly,
    drawdowns: _drawdowns,
    rolling: _rolling,
    distribution: _distribution,
    ...members
  } = report
  return members
}

function framed(bytes: Uint8Array): [Buffer, Buffer] {
  const packed = zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 } })
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  return [length, packed]
}

function framesOf(bytes: Buffer): [Buffer, Buffer, Buffer] {
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new Error('these bytes are no core of a run')
  let at = magic.length
  const next = (): Buffer => {
    const length = bytes.readUInt32LE(at)
    const packed = bytes.subarray(at + 4, at + 4 + length)
    if (packed.length !== length) throw new Error('a core that ends too early')
    at += 4 + length
    return zstdDecompressSync(packed, { maxOutputLength: mostBytes })
  }
  return [next(), next(), next()]
}

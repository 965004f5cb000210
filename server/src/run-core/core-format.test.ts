import { zstdCompressSync } from 'node:zlib'
import { markets, type SimulatedRun, simulated, withDailyFigures } from '@convexa/engine'
import { describe, expect, test } from 'vitest'
import { engineFixtures } from '../../test/runs/engine-fixtures.ts'
import { columnsOf, planesOf } from './byte-planes.ts'
import { bitsOf, datesOf, packFlags, unpackFlags } from './calendar-bits.ts'
import { coreReportOf, decodeCore, encodeCore } from './core-format.ts'
import { sparkOf } from './spark.ts'
import { stepsOf, valuesOfSteps } from './steps.ts'

const { anyRequest, randomMarket } = await engineFixtures()

function runOf(seed: number): SimulatedRun {
  const panel = randomMarket('cb', { seed, days: 120, securities: 30, from: '2023-07-03' })
  const steps = simulated(panel, markets.cb, anyRequest('cb', seed, panel.dates))
  for (;;) {
    const step = steps.next()
    if (!step.done) continue
    if (!step.value.ok) throw new Error(step.value.problem.message)
    return step.value.run
  }
}

function reportOf(seed: number) {
  const steps = runOf(seed).core()
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

describe('a core', () => {
  const { core: members, series } = reportOf(5)
  const core = withDailyFigures(members, series)
  const bytes = encodeCore(members, series)

  test('gives its report again, member for member in their order', () => {
    expect(JSON.stringify(coreReportOf(decodeCore(bytes)))).toBe(JSON.stringify(core))
  })

  test('keeps a benchmark that was not known on all days, and a market beside it', () => {
    const known = Uint8Array.from(series.dates, (_, day) => Number(day % 3 > 0))
    const market = series.nav.map((value) => value / 3)
    const read = decodeCore(encodeCore(members, { ...series, known, market })).series
    expect([read.known, read.market]).toEqual([known, market])
  })

  test('of format 1 is read as it was written', () => {
    const { dates, holdCount, known, market, before, after, ...values } = series
    const { first, bits } = bitsOf(dates)
    const head = { members, first, days: dates.length, before, after, known: null }
    const counts = Buffer.from(Uint16Array.from(holdCount).buffer)
    const { nav, bench, grossNav, turnover, exposure, cost } = values
    const planes = planesOf([nav, bench, grossNav, turnover, exposure, cost, ...(market ? [market] : [])])
    const frames = [Buffer.from(JSON.stringify(head)), Buffer.concat([counts, planes]), bits].flatMap((frame) => {
      const packed = zstdCompressSync(frame)
      return [Buffer.from(Uint32Array.of(packed.length).buffer), packed]
    })
    expect(known).toBe(null)
    const read = decodeCore(Buffer.concat([Buffer.from('CVX1'), ...frames]))
    expect(JSON.stringify(coreReportOf(read))).toBe(JSON.stringify(core))
    expect(read.series).toEqual(series)
  })

  test('that was cut or changed is refused', () => {
    expect(() => decodeCore(bytes.subarray(0, bytes.length - 9))).toThrow()
    expect(() => decodeCore(Buffer.from('nothing of the kind'))).toThrow('no core')
    const changed = Buffer.from(bytes)
    changed[bytes.length >> 1]! ^= 1
    expect(() => decodeCore(changed)).toThrow()
  })
})

test('doubles are the same to the bit behind their planes', () => {
  const odd = Float64Array.of(0, -0, Number.NaN, 1 / 3, -1e300, Number.MIN_VALUE, Number.POSITIVE_INFINITY)
  const [one, two] = columnsOf(planesOf([odd, odd.map((value) => -value)]), odd.length)
  expect([one, two].map((column) => Buffer.from(column!.buffer).toString('hex'))).toEqual(
    [odd, odd.map((value) => -value)].map((column) => Buffer.from(column.buffer).toString('hex')),
  )
  expect(() => columnsOf(new Uint8Array(17), 2)).toThrow(RangeError)
})

test('values are the same to the bit behind their steps, one byte where they are as expected', () => {
  const odd = Float64Array.of(1.1, 0, -0, Number.NaN, 1 / 3, -1e300, Number.MIN_VALUE, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
  const hex = (values: Float64Array) => Buffer.from(values.buffer).toString('hex')
  for (const expected of [() => 0, () => Number.NaN, (row: number, values: Float64Array) => -(values[row - 1] ?? 0)])
    expect(hex(valuesOfSteps(stepsOf(odd, expected), odd.length, expected))).toBe(hex(odd))
  const near = Float64Array.from({ length: 100 }, (_, row) => (row + 1) / 3)
  expect(stepsOf(near, (row) => near[row]! * (1 + Number.EPSILON)).length).toBe(100)
  const steps = stepsOf(near, () => 1)
  for (const wrong of [steps.subarray(0, -1), Uint8Array.of(...steps, 0)])
    expect(() => valuesOfSteps(wrong, 100, () => 1)).toThrow(RangeError)
})

test('dates and flags are the same behind their bits', () => {
  const dates = ['2023-12-29', '2024-01-02', '2024-02-29', '2024-03-01']
  expect(datesOf(bitsOf(dates))).toEqual(dates)
  expect(datesOf(bitsOf(['2024-02-29']))).toEqual(['2024-02-29'])
  const flags = Uint8Array.of(1, 0, 0, 1, 1, 0, 1, 0, 1)
  expect(unpackFlags(packFlags(flags), flags.length)).toEqual(flags)
})

test('a line has the first and the last day, in thousandths', () => {
  const nav = Float64Array.from({ length: 1_000 }, (_, day) => 1 + day / 1_000)
  const line = new Uint16Array(sparkOf(nav).slice().buffer)
  expect([line.length, line[0], line[63]]).toEqual([64, 1_000, 1_999])
  expect(sparkOf(Float64Array.of(1))).toEqual(Uint8Array.of(0xe8, 3))
})

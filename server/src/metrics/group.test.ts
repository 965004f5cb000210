import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { lastingCounts, type MemberCounts } from './group.ts'

/** A process that has counted so much. */
async function member(pid: number, count: number): Promise<MemberCounts> {
  const registers = [new Registry()]
  new Counter({ name: 'answers_total', help: 'x', labelNames: ['code'], registers }).inc({ code: '0' }, count)
  new Gauge({ name: 'open', help: 'x', registers }).set(5)
  const seconds = new Histogram({ name: 'seconds', help: 'x', buckets: [1], registers })
  for (let k = 0; k < count; k++) seconds.observe(0.5)
  return { pid, counted: await registers[0]!.getMetricsAsJSON() }
}

test('counts of two are joined, and never fall: one that ended or is silent stays as it was told last; gauges are of those that answer', async () => {
  const lasting = lastingCounts()
  const joined = async (...answers: (MemberCounts | null)[]) => {
    const text = await AggregatorRegistry.aggregate(await lasting(answers)).metrics()
    const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
    return [value('answers_total{code="0"}'.replaceAll(/[{}"]/g, '\\$&')), value('seconds_count'), value('open')]
  }
  expect(await joined(await member(1, 10), await member(2, 20))).toEqual([30, 30, 10])
  // The second is silent, then started anew as a third.
  expect(await joined(await member(1, 11), null)).toEqual([31, 31, 5])
  expect(await joined(await member(1, 11), await member(3, 2))).toEqual([33, 33, 10])
  expect(await joined(await member(1, 11), await member(3, 4))).toEqual([35, 35, 10])
  // Many that ended become one.
  for (let pid = 4; pid < 30; pid++) await joined(await member(1, 11), await member(pid, 1))
  expect(await joined(await member(1, 11), await member(30, 1))).toEqual([35 + 27, 35 + 27, 10])
})

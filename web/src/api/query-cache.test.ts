import { onlineManager } from '@tanstack/react-query'
import { afterEach, expect, it } from 'vitest'
import { CallError, messages } from './messages.ts'
import { queries, retryDelay, retryLate } from './query-cache.ts'

afterEach(() => {
  onlineManager.setOnline(true)
  queries.clear()
})

it('a question that is asked offline fails and is told, it does not wait in silence', async () => {
  onlineManager.setOnline(false)
  const queryFn = () => Promise.reject(new CallError('network', messages.network))
  await expect(queries.fetchQuery({ queryKey: ['any'], queryFn, retry: false })).rejects.toThrow('网络连接失败，请检查网络')
})

it('a short question that came too late is asked again twice; a refusal is not', () => {
  const late = new CallError('response', '计算超时', 23021)
  expect([0, 1, 2].map((failures) => retryLate(failures, late))).toEqual([true, true, false])
  expect(retryLate(0, new CallError('response', '代码不存在', 23001))).toBe(false)
})

it('a question that hangs is told within ten seconds, its tries and pauses counted', () => {
  const failed = (took: number) => Object.assign(new CallError('network', messages.network), { took })
  const retry = queries.getDefaultOptions().queries?.retry as (failures: number, error: Error) => boolean
  const hang = 5_200
  // The longest way: each try fails as late as another one still follows, the last one hangs to its end.
  let total = 0
  for (let failures = 0; ; failures++) {
    const took = Array.from({ length: hang / 100 }, (_, i) => hang - (i + 1) * 100).find((ms) => retry(failures, failed(ms)))
    if (took === undefined) break
    total += took + retryDelay(failures)
  }
  expect(total).toBeGreaterThan(3_000)
  expect(total + hang).toBeLessThanOrEqual(10_000)
  expect(retry(0, failed(hang))).toBe(false)
})

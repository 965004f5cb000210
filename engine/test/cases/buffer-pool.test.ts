import { expect, it } from 'vitest'
import { backtest, markets, quickBacktest } from '../../src/index.ts'
import { BufferPool } from '../../src/kernels/index.ts'
import { randomMarket } from '../fixtures/random-market.ts'
import { runToEnd } from '../fixtures/run.ts'
import { anyRequest } from '../fuzz/compare-backtests.ts'

/** What is lent next holds values that nobody computed. */
function spoil(): void {
  const buffers = new BufferPool()
  for (const cells of [1_000, 2_000, 4_000, 8_000, 16_000]) for (let k = 0; k < 4; k++) buffers.doubles(cells).fill(1e9)
  buffers.release()
}

it('runs that take turns, in memory that others have left, are what each is by itself', () => {
  const requests = Array.from({ length: 16 }, (_, k) => {
    const kind = k % 2 === 0 ? 'cb' : 'stk'
    const panel = randomMarket(kind, { seed: k + 1, days: 90, securities: 24, from: '2023-07-03' })
    return { panel, market: markets[kind], request: anyRequest(kind, k + 1, panel.dates) }
  })
  const alone = requests.map(({ panel, market, request }) => runToEnd(panel, market, request).outcome)
  expect(alone.filter(({ ok }) => ok).length).toBeGreaterThan(8)

  spoil()
  const running = requests.map(({ panel, market, request }, k) => ({ k, steps: backtest(panel, market, request) }))
  const together: unknown[] = []
  while (running.length > 0) {
    for (const run of [...running]) {
      const step = run.steps.next()
      if (!step.done) continue
      together[run.k] = step.value
      running.splice(running.indexOf(run), 1)
      const { panel, market, request } = requests[run.k]!
      quickBacktest(panel, market, request)
      spoil()
    }
  }
  expect(JSON.stringify(together)).toBe(JSON.stringify(alone))
})

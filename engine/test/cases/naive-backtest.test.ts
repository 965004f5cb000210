import { expect, it } from 'vitest'
import { compareBacktests } from '../fuzz/compare-backtests.ts'

// Fifty in all; more, and others: npm run fuzz:backtests.
it.each(['cb', 'stk'] as const)('the fast backtest and the obvious one agree trade by trade, %s', (kind) => {
  const all = Array.from({ length: 25 }, (_, k) => compareBacktests(kind, (kind === 'cb' ? 1_015 : 1_001) + k))
  expect(all.flatMap(({ seed, wrong }) => (wrong === null ? [] : [`${seed}: ${wrong}`]))).toEqual([])
  // The requests must be worth comparing.
  expect(all.reduce((sum, { trades }) => sum + trades, 0)).toBeGreaterThan(1_000)
  const met = new Set(all.flatMap(({ reasons }) => [...reasons.keys()]))
  for (const reason of [
    'enter',
    'rank_out',
    'take_profit',
    'stop_loss',
    'trailing_stop',
    'timing',
    'rebalance',
    'excluded',
    'last_day',
    // Bonds whose payment nobody knows stay in the book.
    kind === 'cb' ? 'called' : 'delisted',
  ])
    expect(met).toContain(reason)
})

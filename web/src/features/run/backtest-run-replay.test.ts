import { expect, it } from 'vitest'
import { newRun, type RunEvent, type RunRequest, type RunState, reduceRun } from './backtest-run.ts'
import { replayed } from './backtest-run-replay.ts'

const dates = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08']
const curve = { type: 'curve' as const, run_id: 'r', seq: 1, dates, nav: [1, 1.1, 1.2, 1.3], bench: [1, 1, 1, 1] } satisfies RunEvent
const run = reduceRun(newRun('k', {} as RunRequest, 0), { type: 'event', event: curve, at: 1 })
const done: RunState = { ...run, phase: 'done', stage: 'report', percent: 100, date: '2026-01-08' }

it('percent, date and curve stand at one position', () => {
  const shown = replayed(done, 2)
  expect(shown).toMatchObject({ phase: 'running', stage: 'simulate', percent: 50, date: '2026-01-06' })
  expect(shown.curve).toEqual({ dates: dates.slice(0, 2), nav: [1, 1.1], bench: [1, 1] })
})

it('what is drawn to its end is what it is', () => expect(replayed(done, 4)).toBe(done))
it('a run that ended early hides nothing', () => {
  const failed: RunState = { ...done, phase: 'failed' }
  expect(replayed(failed, 1)).toBe(failed)
})

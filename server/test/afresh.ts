import { afterAll, vi } from 'vitest'
import { learnYears } from '../src/market/calendar.ts'

// Files share processes (decisions/0031): each begins with what a process knows at its start, and none meets what another held or stubbed.
// All else that a process keeps is kept by a snapshot's, a user's or an object's own name, which no other file has.

learnYears(new Map())

afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

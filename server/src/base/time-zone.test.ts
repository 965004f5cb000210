import { afterAll, expect, test } from 'vitest'

// All days are Shanghai's by our own reckoning, wherever the machine stands: the tests of days once more, in New York.
const before = process.env['TZ']
process.env['TZ'] = 'America/New_York'

const files = ['market/calendar', 'market/calendar-file', 'feeds/session', 'feeds/calendar-lines', 'feeds/round-hours']
// Asked for under another name, since the files themselves are run beside this one.
for (const file of files) await import(/* @vite-ignore */ `../${file}.test.ts?in-new-york`)

afterAll(() => {
  if (before === undefined) delete process.env['TZ']
  else process.env['TZ'] = before
})

test('the clock of this process is that of New York', () => {
  expect(new Date('2026-01-15T12:00:00Z').getHours()).toBe(7)
})

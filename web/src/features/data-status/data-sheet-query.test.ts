import { expect, it } from 'vitest'
import { sheetAgainMs } from './data-sheet-query.ts'

it('what was right in the morning is asked again: at the close the data may be a day behind', () => {
  expect(sheetAgainMs({ counting: false, data_mode: 'imported' }, false)).toBeLessThanOrEqual(300_000)
  expect(sheetAgainMs({ counting: false, data_mode: 'platform' }, true)).toBeLessThanOrEqual(60_000)
  expect(sheetAgainMs({ counting: true, data_mode: 'demo' }, false)).toBeLessThanOrEqual(3_000)
  expect(sheetAgainMs({ counting: false, data_mode: 'demo' }, true)).toBe(false)
})

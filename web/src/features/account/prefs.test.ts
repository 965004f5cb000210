import { describe, expect, it } from 'vitest'
import { prefsOf, sharedOf } from './prefs.ts'

describe('preferences on the account', () => {
  const shared = { theme: 'dark', density: 'standard', rise: 'green', motion: 'reduced', digits: 'plain' } as const
  it('are what this browser shows', () =>
    expect(prefsOf(shared, { theme: 'light', number_format: 'grouped' })).toEqual({
      theme: 'dark',
      density: 'standard',
      colors: 'green_up',
      reduced_motion: true,
      number_format: 'plain',
    }))
  it('come back as they went', () => expect(sharedOf(prefsOf(shared))).toEqual(shared))
  it('that were never chosen choose nothing here', () => expect(sharedOf({})).toEqual({}))
  it('that say no reduced motion leave it to the system', () => expect(sharedOf({ reduced_motion: false })).toEqual({ motion: 'system' }))
})

import { describe, expect, it } from 'vitest'
import { built, measure } from '../scripts/budget.mjs'

describe.skipIf(!built)('what a browser loads first (skipped until the web is built: `npm run build -w web`)', () => {
  const { loads, zod } = built ? measure() : { loads: [], zod: [] }

  it.each(loads)('$name is at most $limit KB gzipped', ({ size, limit }) => expect(size).toBeLessThanOrEqual(limit))

  it('zod is neither in the entry nor in the login', () => expect(zod).toEqual([]))
})

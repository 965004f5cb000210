import { describe, expect, it } from 'vitest'
import { built, lineOf, measure } from '../scripts/budget.mjs'

// `npm test` builds before it tests: a bundle that is missing is a fault, never a reason to skip.
if (!built) throw new Error('web/dist is missing: build it with `node scripts/prepare.mjs --web`')

describe('what a browser loads first', () => {
  const { loads, zod, guide } = measure()
  console.info(loads.map(lineOf).join('\n'))

  it.each(loads)('$name is at most $limit KB gzipped', ({ size, limit }) => expect(size).toBeLessThanOrEqual(limit))

  it('zod is neither in the entry nor in the login', () => expect(zod).toEqual([]))

  it('the style guide is in no file', () => expect(guide).toEqual([]))
})

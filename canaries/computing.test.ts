import { describe, expect, test } from 'vitest'
// @ts-expect-error a script without types
import { familyIn, lostBetween } from '../scripts/computing.mjs'

// CPU time of all processes of `npm test`: the time of an ended process counts once, whether or not its parent waited for it.

interface One {
  pid: number
  key: string
  parent: number
  took: number
  waitedFor: number
}
const one = (pid: number, parent: number, took: number, waitedFor = 0): One => ({ pid, key: `${pid} 0`, parent, took, waitedFor })
const living = (...all: One[]) => new Map(all.map((each) => [each.pid, each]))
const members = (...all: One[]) => new Map(all.map((each) => [each.key, each]))

test('the family is all descendants of a member, orphans included', () => {
  const before = familyIn(living(one(1, 0, 9), one(10, 1, 5), one(11, 10, 5), one(12, 11, 5), one(20, 1, 5)), members(one(10, 1, 5)))
  expect([...before.keys()]).toEqual(['10 0', '11 0', '12 0'])
  // 11 has ended, 12 is a child of the system now; 13 is new.
  const after = familyIn(living(one(1, 0, 9), one(10, 1, 5), one(12, 1, 6), one(13, 12, 1)), before)
  expect([...after.keys()].toSorted()).toEqual(['10 0', '12 0', '13 0'])
})

test('a pid that is used again is another process', () => {
  expect(familyIn(living({ ...one(10, 1, 0), key: '10 77' }), members(one(10, 1, 5))).size).toBe(0)
})

describe('what is lost', () => {
  const root = one(10, 1, 5)
  test.each<[string, One[], One[], number]>([
    ['nothing of a child that was waited for', [root, one(11, 10, 40)], [one(10, 1, 5, 41)], 0],
    ['nothing of a grandchild whose parent waited for it', [root, one(11, 10, 1), one(12, 11, 40)], [one(10, 1, 5, 43)], 0],
    ['a grandchild that died with its parent', [root, one(11, 10, 1), one(12, 11, 40)], [one(10, 1, 5, 2)], 39],
    ['a grandchild that the system has taken over', [root, one(12, 1, 40, 3)], [one(10, 1, 5)], 43],
    ['nothing of what still runs', [root, one(11, 10, 40)], [one(10, 1, 5), one(11, 10, 41)], 0],
  ])('%s', (_name, before, after, lost) => {
    expect(lostBetween(members(...before), members(...after))).toBe(lost)
  })
})

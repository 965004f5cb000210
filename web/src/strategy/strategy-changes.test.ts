import { expect, it } from 'vitest'
import { copyName } from './strategy-changes.ts'

it.each([
  ['双低10', [], '双低10 副本'],
  ['双低10', ['双低10 副本'], '双低10 副本 2'],
  ['ABC', ['abc 副本', 'ABC 副本 2'], 'ABC 副本 3'],
  ['长'.repeat(50), [], `${'长'.repeat(44)} 副本`],
])('a copy of %s beside %j is called %s', (name, taken, copy) => expect(copyName(name, taken)).toBe(copy))

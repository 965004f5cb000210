import { expect, it } from 'vitest'
import { initialsOf } from './initials.ts'

it.each([
  ['转股溢价率', 'zgyjl'],
  ['双低', 'sd'],
  ['到期收益率', 'dqsyl'],
  ['剩余规模', 'sygm'],
  ['强赎已满足天数', 'qsymzts'],
  ['20日涨幅', '20rzf'],
  ['成交额(万元)', 'cjewy'],
  ['市盈率TTM', 'sylttm'],
])('%s → %s', (text, initials) => expect(initialsOf(text)).toBe(initials))

import { expect, test } from 'vitest'
import { factorLabel } from './factor-label.ts'

const own = [{ key: 'custom_01', label: '我的双低' }]

test.each([
  ['a factor', 'conv_prem', '转股溢价率'],
  ['one with a window', 'bias_20', '20日乖离率'],
  ['one of its own', 'custom_01', '我的双低'],
  ['a formula', 'formula: close * 2', 'close * 2'],
  ['a long formula', `formula: ${'close + '.repeat(10)}1`, `${'close + '.repeat(5)}…`],
  ['what is not there any more', 'custom_09', 'custom_09'],
])('%s is called by what people know', (_, ref, label) => expect(factorLabel('cb', own, ref)).toBe(label))

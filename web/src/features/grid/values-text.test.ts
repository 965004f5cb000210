import { describe, expect, it } from 'vitest'
import { readValues, writeValues } from './values-text.ts'

const bounds = { min: 0.1, max: 100, whole: false }

describe('values of an axis as they are typed', () => {
  it.each([
    ['5,10,15', [5, 10, 15]],
    ['5:30:5', [5, 10, 15, 20, 25, 30]],
    ['1：3', [1, 2, 3]],
    ['30，5、10；5', [5, 10, 30]],
    ['0.1:0.5:0.1', [0.1, 0.2, 0.3, 0.4, 0.5]],
    ['1:10:4 20', [1, 5, 9, 20]],
    ['５，１０、０．５', [0.5, 5, 10]],
  ])('%s', (text, values) => expect(readValues(text, bounds)).toEqual({ values, message: null }))

  it.each([
    ['', '请填写取值'],
    ['五', '「五」不是数字'],
    ['5:1:1', '起点大于终点'],
    ['1:5:0', '步长须大于 0'],
    ['1:2:3:4', '读不懂'],
    ['0', '0.1 到 100'],
    ['1:100:0.1', '超过 200 个'],
  ])('%s is refused with its reason', (text, message) => expect(readValues(text, bounds).message).toContain(message))

  it('wants whole numbers where only those mean something', () => {
    expect(readValues('1.5', { ...bounds, whole: true }).message).toContain('整数')
  })

  it('is written as it can be read', () => expect(writeValues([0.5, 1, 20])).toBe('0.5,1,20'))
})

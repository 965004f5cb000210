import { describe, expect, it } from 'vitest'
import { readNumber } from './read-number.ts'

describe('a number as people type it', () => {
  it.each([
    ['120', 120],
    [' 8 ', 8],
    ['１２０', 120],
    ['\ufeff20\u200b', 20],
    ['０．８', 0.8],
    ['0。8', 0.8],
    ['－3', -3],
    ['−3', -3],
    ['1,000', 1000],
    ['１，２３４，５６７．５', 1234567.5],
    ['-12,345.60', -12345.6],
    ['', null],
    ['  ', null],
  ])('%j', (text, number) => expect(readNumber(text)).toBe(number))

  it.each([
    ['0.5 亿', '亿', 0.5],
    ['20％', '%', 20],
    ['150元', '元', 150],
  ])('%j in a field of %s', (text, unit, number) => expect(readNumber(text, unit)).toBe(number))

  it.each(['abc', '1,0', '1,00,000', '5,10', '12 34', '1..2', 'Infinity', '亿'])('%j is none', (text) =>
    expect(readNumber(text, '亿')).toBeNaN(),
  )
})

import { describe, expect, it } from 'vitest'
import { count, duration, fixed, money, percent, plain, quantity, signedPercent, tone } from './format.ts'

describe('numbers on the screen', () => {
  it.each([
    [fixed(-0.7, 2), '−0.70'],
    [fixed(119.5444, 3), '119.544'],
    [fixed(-0.0004, 2), '0.00'],
    [fixed(null), '—'],
    [fixed(Number.NaN), '—'],
    [percent(0.1841), '18.41%'],
    [signedPercent(0.1334), '+13.34%'],
    [signedPercent(-0.18561), '−18.56%'],
    [signedPercent(0.00001), '0.00%'],
    [signedPercent(undefined), '—'],
    [money(8900), '8,900.00 元'],
    [money(-1_234_567), '−123.46 万元'],
    [money(321_000_000), '3.21 亿元'],
    [money(11_119_600), '1,111.96 万元'],
    [count(1336), '1,336'],
    [quantity(1200), '1,200'],
    [quantity(12.345), '12.35'],
    [plain(0.1 + 0.2), '0.3'],
    [plain(150), '150'],
    [duration(0.31), '0.3 秒'],
    [duration(72), '1 分 12 秒'],
  ])('%s is %s', (shown, expected) => expect(shown).toBe(expected))

  it('colours only what is not zero once rounded', () => {
    expect([tone(0.01), tone(-0.01), tone(0.00001), tone(null)]).toEqual(['up', 'down', 'flat', 'flat'])
  })
})

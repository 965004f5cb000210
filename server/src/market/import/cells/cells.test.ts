import { describe, expect, it } from 'vitest'
import { readCode, readIndex } from './code.ts'
import { dayOf, readDay, shanghaiDayOf } from './day.ts'
import { readWord, wordsOf } from './enumeration.ts'
import { readFlag } from './flag.ts'
import { readNumber, readNumbers } from './number.ts'
import { isEmpty, readName } from './text.ts'
import { asItIs, conversion } from './unit.ts'

describe('days', () => {
  it.each<[string | number, string | null]>([
    ['2024-01-02', '2024-01-02'],
    ['2024/1/2', '2024-01-02'],
    ['2024.01.02', '2024-01-02'],
    ['20240102', '2024-01-02'],
    ['2024年1月2日', '2024-01-02'],
    ['２０２４－０１－０２', '2024-01-02'],
    [20240102, '2024-01-02'],
    ['20240102.0', '2024-01-02'],
    // With a time of day: the day that is written.
    ['2024/1/2 0:00', '2024-01-02'],
    ['2024-01-02 15:00:00', '2024-01-02'],
    ['2024-01-02T23:59:59.999', '2024-01-02'],
    ['20240102 15:00:00', '2024-01-02'],
    ['2024年1月2日 15:00', '2024-01-02'],
    // Instants: the day in Shanghai.
    ['2024-01-01T16:00:00Z', '2024-01-02'],
    ['2024-01-02T00:00:00.000+0800', '2024-01-02'],
    ['2024-01-02 00:00:00+00:00', '2024-01-02'],
    ['2024-01-01 12:00:00-05:00', '2024-01-02'],
    [1704124800000, '2024-01-02'],
    ['1704124800000', '2024-01-02'],
    [1704124800, '2024-01-02'],
    // Shanghai's clock of before 1901, which Python's pytz writes.
    ['2024-01-02 00:00:00+08:06', '2024-01-02'],
    ['2024-01-02T00:00:00+0805', '2024-01-02'],
    ['2024-01-02 00:00:00+08:05:43', '2024-01-02'],
    ['2024-01-02 00:00:00+08:07', '2024-01-01'],
    // The summer time of 1991.
    ['1991-04-12 00:00:00+08:00', '1991-04-12'],
    ['1991-04-15 00:00:00+09:00', '1991-04-15'],
    ['1991-09-13T15:00:00Z', '1991-09-14'],
    ['1991-09-16 00:00:00+08:00', '1991-09-16'],
    // Serials of spreadsheets.
    [45293, '2024-01-02'],
    ['45293', '2024-01-02'],
    [45293.625, '2024-01-02'],
    // Neither.
    ['1/2/2024', null],
    ['2024-02-30', null],
    ['2024-13-01', null],
    ['2024-01', null],
    ['20240102150000', null],
    [19724, null],
    [32873, null],
    [50001, null],
    [170412480, null],
    ['今天', null],
    ['2024-01-02 25:00', null],
  ])('%s is %s', (cell, day) => expect(dayOf(cell)).toBe(day))

  it('a column of a date type counts days since 1970, and a serial is told', () => {
    expect(dayOf(19724, true)).toBe('2024-01-02')
    expect([readDay(45293)?.serial, readDay(45293, true)?.date, readDay('2024-01-02')?.serial]).toEqual([true, '2094-01-03', false])
  })
})

it('an instant is of the day in Shanghai, in summer time too', () => {
  const days = (text: string) => shanghaiDayOf(Date.parse(text)) - Date.parse('1991-01-01T00:00:00Z') / 86_400_000
  expect(['1991-01-01T15:59:59Z', '1991-01-01T16:00:00Z'].map(days)).toEqual([0, 1])
  expect(['1991-07-01T14:59:59Z', '1991-07-01T15:00:00Z', '1991-07-01T16:00:00Z'].map(days)).toEqual([181, 182, 182])
})

describe('codes', () => {
  it.each<[string | number, string | null]>([
    ['600000', '600000.SH'],
    ['600000.SH', '600000.SH'],
    ['600000.ss', '600000.SH'],
    ['600000.XSHG', '600000.SH'],
    ['000001.XSHE', '000001.SZ'],
    ['430047.BJ', '430047.BJ'],
    ['sh600000', '600000.SH'],
    ['sh.600000', '600000.SH'],
    ['SH 600000', '600000.SH'],
    ['1.600000', '600000.SH'],
    ['0.000001', '000001.SZ'],
    ['0.430047', '430047.BJ'],
    ['1', '000001.SZ'],
    [1, '000001.SZ'],
    ['600000.0', '600000.SH'],
    ['６０００００', '600000.SH'],
    ["'600001", '600001.SH'],
    ['="600001"', '600001.SH'],
    [' 600001\t', '600001.SH'],
    ['SH.920002', '920002.BJ'],
    ['920002.SH', '920002.BJ'],
    // Of others, which an import leaves out by name.
    ['510300', '510300.SH'],
    ['159915', '159915.SZ'],
    ['399001', '399001.SZ'],
    ['113050', '113050.SH'],
    ['123001', '123001.SZ'],
    ['900901', '900901.SH'],
    ['200002', '200002.SZ'],
    ['204001', '204001.SH'],
    ['131810', '131810.SZ'],
    [399, '000399.SZ'],
    ['6.00001E+05', null],
    [1.6, null],
    ['1.6', null],
    ['6000001', null],
    ['000300.CSI', null],
    ['转债一号', null],
  ])('of a share, %s is %s', (cell, code) => expect(readCode(cell, 'stk')).toBe(code))

  it('of a bond, the exchange follows the number', () =>
    expect(['113050', 'sz127056', '110001', '1'].map((cell) => readCode(cell, 'cb'))).toEqual([
      '113050.SH',
      '127056.SZ',
      '110001.SH',
      null,
    ]))

  it.each(['000300', '300', '000300.SH', '000300.XSHG', '000300.CSI', 'sh000300', 'SH000300', 'sh.000300', '1.000300', 'SH 000300'])(
    'of an index, %s is 000300',
    (cell) => expect(readIndex(cell)).toMatchObject({ number: '000300' }),
  )

  it('an index keeps the exchange that the file gives, and its name where it has no number', () => {
    expect(['000001.SZ', '399001.XSHE', '801010.SI', 'H11001.CSI', 'yield_AA+_3'].map(readIndex)).toEqual([
      { number: '000001', exchange: 'SZ' },
      { number: '399001', exchange: 'SZ' },
      { number: '801010', exchange: null },
      { number: 'h11001', exchange: null },
      { number: 'yield_aa+_3', exchange: null },
    ])
    expect(['6.00001E+05', '沪深', '1000300'].map(readIndex)).toEqual([null, null, null])
  })
})

describe('numbers', () => {
  const of = (field: string, column = field) => ({ ...(conversion(column, field) ?? asItIs), unit: { field, column } })
  it.each<[string, field: string, column: string, number | null]>([
    ['12.34%', '小数', '小数', 0.1234],
    ['12.34%', '小数', '%', 0.1234],
    ['12.34％', '小数', '%', 0.1234],
    ['12.34', '小数', '%', 0.1234],
    ['41.5266', '小数', '%', 41.5266 / 100],
    ['12.34%', '元', '元', null],
    ['1,234.5', '元', '元', 1234.5],
    ['12,34', '元', '元', null],
    ['3.5元', '元', '元', 3.5],
    ['1.5万', '万元', '千元', 1.5],
    ['1.5亿', '万元', '万元', 15_000],
    ['1.5亿元', '亿元', '元', 1.5],
    ['1200手', '股', '股', 120_000],
    ['3.2万', '股', '手', 3_200_000],
    ['3.2万股', '股', '手', 32_000],
    ['100股', '元', '元', null],
    ['1.5亿', '元', '元', null],
    ['1.5万元', '元', '元', null],
    ['7亿', '元总额', '元', 700_000_000],
    ['100元', '股', '股', null],
    ['1.5万', '小数', '小数', null],
    ['-1e-5', '元', '元', -1e-5],
    ['0E-8', '元', '元', 0],
    ['1.23456E+08', '股', '股', 123_456_000],
    ['5.877472e-39', '股', '股', 5.877472e-39],
    ['0x10', '元', '元', null],
    ['inf', '元', '元', null],
    ['1e999', '元', '元', null],
    ['约 4 亿', '亿元', '亿元', null],
    ['', '元', '元', Number.NaN],
    [' ', '元', '元', Number.NaN],
    ['--', '元', '元', Number.NaN],
    ['—', '元', '元', Number.NaN],
    ['nan', '元', '元', Number.NaN],
    ['None', '元', '元', Number.NaN],
    ['N/A', '元', '元', Number.NaN],
  ])('%s in %s, mapped as %s, is %s', (cell, field, column, value) => {
    expect(readNumber(cell, of(field, column))).toBe(value)
    // A whole column reads as its cells do.
    const [into, unread] = [new Float64Array(1).fill(Number.NaN), [] as number[]]
    readNumbers([cell], of(field, column), into, 0, (row) => unread.push(row))
    expect([into[0], unread]).toEqual(value === null ? [Number.NaN, [0]] : [value, []])
  })

  it('units become each other by one power of ten', () => {
    expect(conversion('千元', '万元')).toEqual({ multiply: 1, divide: 10 })
    expect(conversion('手', '股')).toEqual({ multiply: 100, divide: 1 })
    expect(conversion('张', '手')).toEqual({ multiply: 1, divide: 10 })
    expect([conversion('手', '元'), conversion('股', '手'), conversion('%', '元')]).toEqual([null, null, null])
  })
})

describe('flags', () => {
  type Flag = [string | number | null, 'state' | 'st' | 'flag', number | null]
  it.each<Flag>([
    ...[1, '1', '1.0', 'TRUE', 't', 'Y', 'yes', '是', '交易', '正常', '上市', 'L'].map((cell) => [cell, 'state', 1] satisfies Flag),
    ...[0, '0', '0.0', 'False', 'f', 'n', 'NO', '否', '停牌', '暂停', '退市', 'D', 'P'].map((cell) => [cell, 'state', 0] satisfies Flag),
    ...['ST', '*ST', 'S*ST', 'SST', '是', 1].map((cell) => [cell, 'st', 1] satisfies Flag),
    ...['正常', '否', 0].map((cell) => [cell, 'st', 0] satisfies Flag),
    [null, 'state', Number.NaN],
    ['--', 'state', Number.NaN],
    ['', 'st', Number.NaN],
    ['停牌', 'st', null],
    ['交易中', 'state', null],
    [2, 'state', null],
    ['是', 'flag', 1],
    ['正常', 'flag', null],
  ])('%s of %s is %s', (cell, kind, value) => expect(readFlag(cell, kind)).toBe(value))
})

describe('words of enumerations', () => {
  it('full width, case and blanks do not matter; what is none of them is told from nothing', () => {
    const ratings = wordsOf('rating', ['AAA', 'AA+', 'AA'])!
    expect(['AAA', 'AA＋', 'aa+', ' A A', 'A-1', 'AA(sti)', '-', ''].map((word) => readWord(word, ratings))).toEqual([
      ...[0, 1, 1, 2, null, null, Number.NaN, Number.NaN],
    ])
    expect(['1', '10', '10.0', '11'].map((word) => readWord(word, wordsOf('yy_rating', undefined)!))).toEqual([1, 10, 10, null])
  })

  it('a status of calls is read by its label, too', () => {
    const words = wordsOf('call_status', ['none', 'met', 'notice', 'announced', 'executing', 'maturity'])!
    expect(['announced', '已公告强赎', 'MET', '强赎'].map((word) => readWord(word, words))).toEqual([3, 3, 1, null])
  })
})

it.each([
  ['五 粮 液', '五粮液'],
  ['万  科Ａ', '万科A'],
  ['＊ＳＴ海润', '*ST海润'],
  ['\u3000新\u3000大\u3000陆', '新大陆'],
  ['粤泰股份（退）', '粤泰股份（退）'],
  [' - ', null],
])('the name %s is %s', (cell, name) => expect(readName(cell)).toBe(name))

it('nothing is written in many ways', () =>
  expect(['', ' ', '-', '--', '—', 'nan', 'NaN', 'null', 'None', 'N/A', 'NaT', '0', '无'].filter((text) => !isEmpty(text))).toEqual([
    '0',
    '无',
  ]))

import { expect, test } from 'vitest'
import { readHoldings } from './holdings-text.ts'

const known = ['127056.SZ', '113050.SH', '000001.SZ']

const tables: [string, string, string][] = [
  ['two columns, nothing else', '127056 80\n113050.SH 90', '127056.SZ 80, 113050.SH 90'],
  [
    'a terminal’s export',
    '证券代码,证券名称,当前拥股,可用数量\r\n127056,中特转2,80,80\r\n113050,南银转债,"1,090",0\r\n合计,,170,\r\n',
    '127056.SZ 80, 113050.SH 1090',
  ],
  ['pasted cells with a sheet’s zeros', '代码\t名称\t持仓\n="000001"\t平安银行\t1200.00\n', '000001.SZ 1200'],
  ['the exchange before the code, two lines of one', 'SH113050,10\nSH.113050,20', '113050.SH 30'],
  [
    'codes of other sources',
    '600000.XSHG,100\nsz.000001,200\n1.113050,30\nＳＨ６０００００,5',
    '600000.SH 105, 000001.SZ 200, 113050.SH 30',
  ],
  ['lost zeros in a column of codes', '代码,数量\n1,300', '000001.SZ 300'],
  ['nothing', '\n \n', ''],
  ['a code of the demo market', '900731.DM 80', '900731.DM 80'],
  ['a code of another market, with its exchange', '600000.SH 100', '600000.SH 100'],
]
test.each(tables)('%s', (_name, text, expected) => {
  const read = readHoldings(text, known)
  expect(read.ok && read.holdings.map(({ code, volume }) => `${code} ${volume}`).join(', ')).toBe(expected)
})

const mistakes: [string, string][] = [
  ['600000 100', '第 1 行的 600000 不在行情数据中，请补上 .SH、.SZ 或 .BJ'],
  ['127056 80\n你好 90', '第 2 行没有证券代码'],
  ['127056', '第 1 行的数量不是整数'],
  ['80 100', '第 1 行没有证券代码'],
  ['代码,名称\n127056,甲', '第 1 行没有数量一列'],
  ['代码,数量\n127056,8.5', '第 2 行的数量不是整数'],
]
test.each(mistakes)('%j is refused by its line', (text, mistake) => expect(readHoldings(text, known)).toEqual({ ok: false, mistake }))

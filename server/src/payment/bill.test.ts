import { describe, expect, test } from 'vitest'
import { fenOf, readBill } from './bill.ts'

describe('yuan of a bill', () => {
  test.each<[string, number | null]>([
    ['29.00', 2_900],
    ['0.01', 1],
    ['0.1', 10],
    ['19.99', 1_999],
    // As a fraction 1.15 × 100 is 114.99999999999999.
    ['1.15', 115],
    ['100000', 10_000_000],
    ['', null],
    ['-1.00', null],
    ['1.005', null],
    ['1e3', null],
    ['１.00', null],
  ])('%j is %j fen', (yuan, fen) => {
    expect(fenOf(yuan)).toBe(fen)
  })
})

const heading = '交易时间,公众账号ID,商户号,微信订单号,商户订单号,交易状态,货币种类,订单金额,商户退款单号,申请退款金额,退款状态'
const line = (status: string, order = '29.00', refund = '0.00') =>
  ['2026-11-21 23:59:59', 'wx1', '190', 'T1', 'V1', status, 'CNY', order, 'R1', refund, 'SUCCESS'].map((value) => `\`${value}`).join(',')
const bill = (lines: string[], told = lines.length) =>
  `\ufeff${[heading, ...lines, '总交易单数,应结订单总金额', `\`${told},\`0`].join('\r\n')}\r\n`

describe('a bill', () => {
  test('is read line by line: what was paid, what went back', () => {
    expect(readBill(bill([line('SUCCESS'), line('REFUND', '0.00', '10.50')]))).toMatchObject([
      { otn: 'V1', transactionId: 'T1', fen: 2_900, state: 'SUCCESS', refund: null, at: '2026-11-21 23:59:59' },
      { fen: 1_050, state: 'REFUND', refund: { outRefundNo: 'R1', state: 'SUCCESS' } },
    ])
  })

  test.each<[string, string]>([
    ['a line fewer than it says', bill([line('SUCCESS')], 2)],
    ['no summary', `${heading}\r\n${line('SUCCESS')}\r\n`],
    ['a status that we do not know', bill([line('WHATEVER')])],
    ['an amount that is none', bill([line('SUCCESS', 'viel')])],
    ['another heading', bill([line('SUCCESS')]).replace('订单金额,', '金额,')],
  ])('with %s is not read at all', (_name, text) => {
    expect(() => readBill(text)).toThrow()
  })
})

import { shanghaiDate } from '../../src/base/time.ts'
import type { Booked, BookedRefund } from './pay-stand-in-book.ts'

const columns =
  '交易时间,公众账号ID,商户号,特约商户号,设备号,微信订单号,商户订单号,用户标识,交易类型,交易状态,付款银行,货币种类,应结订单金额,代金券金额,微信退款单号,商户退款单号,退款金额,充值券退款金额,退款类型,退款状态,商品名称,商户数据包,手续费,费率,订单金额,申请退款金额,费率备注'

/** The bill of a day as the real one writes it: every value after a backtick, amounts in yuan. null: nothing happened that day. */
export function billOf(
  day: string,
  { appId, mchId }: { appId: string; mchId: string },
  trades: readonly Booked[],
  refunds: readonly BookedRefund[],
): string | null {
  const yuan = (fen: number) => `${Math.floor(fen / 100)}.${String(fen % 100).padStart(2, '0')}`
  const isThen = (at: number) => shanghaiDate(new Date(at)) === day
  const time = (at: number) => new Date(at + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
  const row = (trade: Booked, at: number, refund?: BookedRefund) =>
    [
      ...[time(at), appId, mchId, '0', '', trade.transactionId, trade.otn, trade.openid, trade.type, refund ? 'REFUND' : 'SUCCESS'],
      ...['OTHERS', 'CNY', refund ? '0.00' : yuan(trade.total), '0.00', refund ? `50${refund.outRefundNo}` : '0'],
      ...[refund?.outRefundNo ?? '0', yuan(refund?.amount ?? 0), '0.00', refund ? 'ORIGINAL' : '', refund?.state ?? ''],
      ...[trade.description, '', '0.00000', '0.60%', refund ? '0.00' : yuan(trade.total), yuan(refund?.amount ?? 0), ''],
    ]
      .map((value) => `\`${value}`)
      .join(',')
  const paid = trades.filter(({ transactionId, paidAt }) => transactionId && isThen(paidAt))
  const back = refunds.filter(({ at }) => isThen(at))
  if (paid.length + back.length === 0) return null
  const rows = [
    ...paid.map((trade) => row(trade, trade.paidAt)),
    ...back.map((one) => row(trades.find(({ otn }) => otn === one.otn)!, one.at, one)),
  ]
  const total = (fens: number[]) => yuan(fens.reduce((sum, fen) => sum + fen, 0))
  const sums = [rows.length, total(paid.map((one) => one.total)), total(back.map((one) => one.amount)), '0.00', '0.00000', '0.00', '0.00']
  const summary = '总交易单数,应结订单总金额,退款总金额,充值券退款总金额,手续费总金额,订单总金额,申请退款总金额'
  return `\ufeff${[columns, ...rows, summary, sums.map((sum) => `\`${sum}`).join(',')].join('\r\n')}\r\n`
}

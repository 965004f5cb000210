/** One line of WeChat's bill of a day. */
export interface BillLine {
  readonly otn: string
  readonly transactionId: string
  readonly appId: string
  readonly mchId: string
  readonly currency: string
  /** What was ordered, in fen; of a refund what goes back. */
  readonly fen: number
  /** SUCCESS: paid; REFUND: gone back; REVOKED: taken back before it counted. */
  readonly state: 'SUCCESS' | 'REFUND' | 'REVOKED'
  /** null: a payment. */
  readonly refund: { readonly outRefundNo: string; readonly state: string } | null
  /** `2026-11-21 12:00:00` of Shanghai. */
  readonly at: string
}

/** Yuan with two decimals as whole fen; the text never becomes a fraction. null for anything else. */
export function fenOf(yuan: string): number | null {
  const found = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(yuan)
  return found ? Number(found[1]) * 100 + Number((found[2] ?? '').padEnd(2, '0')) : null
}

const needed = [
  '交易时间',
  '公众账号ID',
  '商户号',
  '微信订单号',
  '商户订单号',
  '交易状态',
  '货币种类',
  '订单金额',
  '商户退款单号',
  '申请退款金额',
  '退款状态',
]

/**
 * The lines of a bill (bill_type ALL): values between commas, each after a backtick but for headings, then a summary that the lines must
 * add up to.
 * @throws Error when it is not read whole: a bill that is half understood would hide money
 */
export function readBill(text: string): BillLine[] {
  const texts = text.replace(/^\ufeff/, '').split(/\r?\n/)
  const [heading, ...rest] = texts.filter((line) => line.trim() !== '').map(valuesOf)
  const end = rest.findIndex(([first]) => first?.startsWith('总交易单数'))
  const places = new Map((heading ?? []).map((name, i) => [name, i]))
  const missing = needed.filter((name) => !places.has(name))
  if (missing.length > 0 || end === -1) throw new Error(`a bill without ${missing.join() || 'its summary'}`)
  const lines = rest.slice(0, end).map((row) => lineOf((name) => row[places.get(name) ?? -1] ?? ''))
  const statedCount = Number(rest[end + 1]?.[0])
  if (statedCount !== lines.length) throw new Error(`a bill of ${statedCount} lines has ${lines.length}`)
  return lines
}

/** Nothing is quoted, and the name of what was sold may have commas: a value ends where a comma and a backtick follow. */
const valuesOf = (line: string): string[] =>
  (line.startsWith('`') ? line.slice(1).split(',`') : line.split(',')).map((value) => value.trim())

function lineOf(value: (name: string) => string): BillLine {
  const state = value('交易状态')
  const isRefund = state === 'REFUND'
  const fen = fenOf(value(isRefund ? '申请退款金额' : '订单金额'))
  if (fen === null || !(state === 'SUCCESS' || state === 'REFUND' || state === 'REVOKED'))
    throw new Error('a line of a bill that is not read')
  return {
    otn: value('商户订单号'),
    transactionId: value('微信订单号'),
    appId: value('公众账号ID'),
    mchId: value('商户号'),
    currency: value('货币种类'),
    fen,
    state,
    refund: isRefund ? { outRefundNo: value('商户退款单号'), state: value('退款状态') } : null,
    at: value('交易时间'),
  }
}

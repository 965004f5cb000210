import { createHash, randomBytes, verify } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { shanghaiTime } from '../../src/base/time.ts'
import type { WechatPaySettings } from '../../src/config/config.ts'
import { billOf } from './pay-stand-in-bill.ts'
import type { Booked, BookedRefund } from './pay-stand-in-book.ts'
import { makePayKeys, type PayKeys, sealed, signedHeaders } from './pay-stand-in-keys.ts'
import { listPage, paidPage, scanPage } from './pay-stand-in-pages.ts'

/** A notice as it is sent: bytes and what signs them. */
export interface PayNotice {
  readonly headers: Record<string, string>
  readonly body: string
}

/** What the next call gets in place of its answer. `then`: it is done all the same. */
export type PayTrouble =
  | 'busy'
  | 'limited'
  | 'silence'
  | 'hang up'
  | 'page'
  | 'unsigned'
  | 'signed by another'
  | 'changed'
  | 'done, then silence'
  | 'done, then hang up'
  | { readonly status: number; readonly code: string }

export interface PayStandIn {
  readonly url: string
  readonly keys: PayKeys
  readonly book: Map<string, Booked>
  readonly refunds: Map<string, BookedRefund>
  readonly troubles: PayTrouble[]
  /** Calls so far, as `POST /v3/pay/transactions/native`. */
  readonly calls: string[]
  /** Notices that were made while `courier` held them. */
  readonly held: PayNotice[]
  /** What becomes of a notice: sent and sent again until it is heard, kept in `held`, or lost. */
  courier: (notice: PayNotice) => 'send' | 'hold' | 'lose'
  /** What becomes of the file of a bill on its way. */
  billFile: (file: Buffer) => Buffer
  settings(over?: Partial<WechatPaySettings>): WechatPaySettings
  /** As if the payer's bank had said yes. @returns false: it is closed, over or paid */
  pay(otn: string, payerTotal?: number): boolean
  /** The same for a trade that is closed or over: the bank's yes was long on its way. @returns false: it is none of these */
  payLate(otn: string): boolean
  /** The newest trade of a code that is scanned or of a prepay_id. */
  find(token: string): Booked | undefined
  /** A notice of the trade, signed now. `over` changes what it says. */
  noticeOf(otn: string, over?: Record<string, unknown>): PayNotice
  /** Sends a notice. @returns the HTTP status; 0 without an answer */
  deliver(notice: PayNotice): Promise<number>
  /** Lets the stand-in's clock go on. */
  later(seconds: number): void
  close(): Promise<void>
}

export interface PayStandInOptions {
  readonly port?: number
  readonly keys?: PayKeys
  readonly notifyUrl?: string
  /** Answers and notices are signed by the certificate's serial in place of the public key's id. */
  readonly certificates?: boolean
  readonly mchId?: string
  readonly appId?: string
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly body: Record<string, unknown>
}
type Reply = { readonly status: number; readonly body: unknown }
const ok = (body: unknown, status = 200): Reply => ({ status, body })
const no = (status: number, code: string, message = code): Reply => ({ status, body: { code, message } })

/**
 * WeChat Pay as a merchant meets it: JSAPI and Native orders, queries, closes, refunds, bills, certificates, notices; with a book of its
 * own in memory, and every trouble that the real one can make. Money in fen.
 */
export async function payStandIn(options: PayStandInOptions = {}): Promise<PayStandIn> {
  const { port = 0, keys = makePayKeys(), certificates = false, mchId = '1900000001', appId = 'wxpaystandin00001' } = options
  const serial = certificates ? keys.platform.serial : keys.platform.id
  let shift = 0
  const now = () => Date.now() + shift
  const book = new Map<string, Booked>()
  const refunds = new Map<string, BookedRefund>()
  const troubles: PayTrouble[] = []
  const calls: string[] = []
  const held: PayNotice[] = []
  const sending = new Set<NodeJS.Timeout>()
  let notifyUrl = options.notifyUrl ?? ''

  const order = (type: Booked['type'], body: Record<string, unknown>): Reply => {
    const otn = String(body['out_trade_no'] ?? '')
    const amount = (body['amount'] ?? {}) as { total?: number; currency?: string }
    const openid = String(((body['payer'] ?? {}) as { openid?: unknown }).openid ?? '')
    if (body['appid'] !== appId || body['mchid'] !== mchId) return no(400, 'APPID_MCHID_NOT_MATCH')
    const isOrder = /^[0-9A-Za-z_\-|*]{6,32}$/.test(otn) && Number.isInteger(amount.total) && amount.total! > 0 && body['description']
    if (!isOrder || (type === 'JSAPI' && !openid)) return no(400, 'PARAM_ERROR')
    notifyUrl ||= String(body['notify_url'] ?? '')
    const known = book.get(otn)
    if (known?.state === 'SUCCESS' || known?.state === 'REFUND') return no(400, 'ORDERPAID', '该订单已支付')
    if (known?.state === 'CLOSED') return no(400, 'ORDER_CLOSED', '该订单已关闭')
    if (known && (known.total !== amount.total || known.type !== type)) return no(403, 'OUT_TRADE_NO_USED', '商户订单号重复')
    const expiresAt = Date.parse(String(body['time_expire'] ?? '')) || now() + 7_200_000
    const made: Booked = known ?? {
      ...{ otn, type, total: amount.total!, description: String(body['description']), openid, token: randomBytes(9).toString('hex') },
      ...{ expiresAt, state: 'NOTPAY', transactionId: null, payerTotal: amount.total!, paidAt: 0 },
    }
    book.set(otn, made)
    return ok(type === 'NATIVE' ? { code_url: `${url()}/scan?pr=${made.token}` } : { prepay_id: `wx${made.token}` })
  }
  const lapse = (trade: Booked) => {
    if (trade.state === 'NOTPAY' && trade.expiresAt <= now()) trade.state = 'CLOSED'
    return trade
  }
  const toldOf = (trade: Booked) => ({
    appid: appId,
    mchid: mchId,
    out_trade_no: trade.otn,
    trade_type: trade.type,
    trade_state: trade.state,
    trade_state_desc: trade.state,
    ...(trade.transactionId && {
      transaction_id: trade.transactionId,
      success_time: shanghaiTime(new Date(trade.paidAt)),
      bank_type: 'OTHERS',
      payer: { openid: trade.openid || 'oScanned' },
      amount: { total: trade.total, payer_total: trade.payerTotal, currency: 'CNY', payer_currency: 'CNY' },
    }),
  })
  const tradeAt = (path: string) => {
    const found = book.get(/out-trade-no\/([^/]+)/.exec(path)?.[1] ?? '')
    return found && lapse(found)
  }
  const toldOfRefund = (refund: BookedRefund) => {
    const trade = book.get(refund.otn)!
    return {
      refund_id: `50${refund.outRefundNo}`,
      out_refund_no: refund.outRefundNo,
      transaction_id: trade.transactionId,
      out_trade_no: refund.otn,
      status: refund.state,
      amount: { total: trade.total, refund: refund.amount, payer_total: trade.payerTotal, payer_refund: refund.amount, currency: 'CNY' },
    }
  }
  const refund = (body: Record<string, unknown>): Reply => {
    const outRefundNo = String(body['out_refund_no'] ?? '')
    const amount = (body['amount'] ?? {}) as { refund?: number; total?: number }
    const trade = [...book.values()].find(({ transactionId }) => transactionId === body['transaction_id'])
    if (!trade) return no(404, 'RESOURCE_NOT_EXISTS')
    const known = refunds.get(outRefundNo)
    if (known) return known.amount === amount.refund ? ok(toldOfRefund(known)) : no(400, 'PARAM_ERROR')
    const back = [...refunds.values()].filter(({ otn }) => otn === trade.otn).reduce((sum, one) => sum + one.amount, 0)
    if (amount.total !== trade.total || !amount.refund || back + amount.refund > trade.total) return no(400, 'INVALID_REQUEST')
    const made: BookedRefund = { outRefundNo, otn: trade.otn, amount: amount.refund, at: now(), state: 'PROCESSING' }
    refunds.set(outRefundNo, made)
    trade.state = 'REFUND'
    const answer = ok(toldOfRefund(made))
    made.state = 'SUCCESS'
    const { status: _status, ...rest } = toldOfRefund(made)
    post(notice('REFUND.SUCCESS', { mchid: mchId, ...rest, refund_status: 'SUCCESS' }, 'refund'))
    return answer
  }

  const routes: [RegExp, (asked: Asked) => Reply][] = [
    [/^POST \/v3\/pay\/transactions\/native$/, ({ body }) => order('NATIVE', body)],
    [/^POST \/v3\/pay\/transactions\/jsapi$/, ({ body }) => order('JSAPI', body)],
    [
      /^GET \/v3\/pay\/transactions\/out-trade-no\/[^/]+$/,
      ({ path }) => {
        const trade = tradeAt(path)
        return trade ? ok(toldOf(trade)) : no(404, 'ORDER_NOT_EXIST', '订单不存在')
      },
    ],
    [
      /^POST \/v3\/pay\/transactions\/out-trade-no\/[^/]+\/close$/,
      ({ path }) => {
        const trade = tradeAt(path)
        if (!trade) return no(404, 'ORDER_NOT_EXIST', '订单不存在')
        if (trade.state === 'SUCCESS' || trade.state === 'REFUND') return no(400, 'ORDERPAID', '订单已支付')
        trade.state = 'CLOSED'
        return { status: 204, body: null }
      },
    ],
    [/^POST \/v3\/refund\/domestic\/refunds$/, ({ body }) => refund(body)],
    [
      /^GET \/v3\/refund\/domestic\/refunds\/[^/]+$/,
      ({ path }) => {
        const found = refunds.get(path.split('/').at(-1)!)
        return found ? ok(toldOfRefund(found)) : no(404, 'RESOURCE_NOT_EXISTS')
      },
    ],
    [
      /^GET \/v3\/bill\/tradebill$/,
      ({ query }) => {
        const text = billOf(query.get('bill_date') ?? '', { appId, mchId }, [...book.values()], [...refunds.values()])
        if (text === null) return no(400, 'NO_STATEMENT_EXIST', '账单文件不存在')
        const hash_value = createHash('sha1').update(text).digest('hex')
        return ok({
          hash_type: 'SHA1',
          hash_value,
          download_url: `${url()}/v3/billdownload/file?${new URLSearchParams({ token: query.get('bill_date') ?? '', tar_type: query.get('tar_type') ?? '' })}`,
        })
      },
    ],
    [
      /^GET \/v3\/certificates$/,
      () => {
        const encrypt_certificate = sealed(keys.v3Key, keys.platform.certificate, 'certificate')
        return ok({ data: [{ serial_no: keys.platform.serial, encrypt_certificate }] })
      },
    ],
  ]

  function notice(event_type: string, told: object, original_type: string): PayNotice {
    const resource = { ...sealed(keys.v3Key, JSON.stringify(told), original_type), original_type }
    const create_time = shanghaiTime(new Date(now()))
    const body = JSON.stringify({
      id: randomBytes(16).toString('hex'),
      create_time,
      resource_type: 'encrypt-resource',
      event_type,
      resource,
    })
    return { headers: { 'content-type': 'application/json', ...signedHeaders(keys, body, now(), serial) }, body }
  }
  const noticeOf = (otn: string, over: Record<string, unknown> = {}) =>
    notice('TRANSACTION.SUCCESS', { ...toldOf(book.get(otn)!), ...over }, 'transaction')
  const deliver = async ({ headers, body }: PayNotice): Promise<number> => {
    const answer = await fetch(notifyUrl, { method: 'POST', headers, body, signal: AbortSignal.timeout(5_000) }).catch(() => null)
    await answer?.arrayBuffer()
    return answer?.status ?? 0
  }
  /** Sent again after 2, 4, 8 … s until it is heard, as the real one does after 15, 15, 30 … */
  const post = (one: PayNotice, wait = 2_000) => {
    const what = standIn.courier(one)
    if (what === 'hold') held.push(one)
    if (what !== 'send') return
    void deliver(one).then((status) => {
      if (status === 204 || status === 200 || wait > 60_000 || !server.listening) return
      const again = setTimeout(() => {
        sending.delete(again)
        const body = one.body
        post({ body, headers: { ...one.headers, ...signedHeaders(keys, body, now(), serial) } }, wait * 2)
      }, wait)
      sending.add(again)
    })
  }
  const taken = (trade: Booked, payerTotal = trade.total): true => {
    trade.state = 'SUCCESS'
    trade.transactionId = `4200${randomBytes(12).toString('hex')}`
    trade.payerTotal = payerTotal
    trade.paidAt = now()
    post(noticeOf(trade.otn))
    return true
  }
  const stateNow = (otn: string) => book.has(otn) && lapse(book.get(otn)!).state
  const pay = (otn: string, payerTotal?: number): boolean => stateNow(otn) === 'NOTPAY' && taken(book.get(otn)!, payerTotal)
  const payLate = (otn: string): boolean => stateNow(otn) === 'CLOSED' && taken(book.get(otn)!)
  const find = (token: string) => [...book.values()].find((trade) => token.endsWith(trade.token))

  const server = createServer((request, response) => {
    void (async () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
      const text = await bodyOf(request)
      if (!pathname.startsWith('/v3/')) return pages(request.method ?? 'GET', pathname, searchParams, text, response)
      const call = `${request.method} ${pathname}`
      calls.push(call)
      if (!isMerchant(keys, request, text, now())) return answer(response, no(401, 'SIGN_ERROR', '签名错误'), false)
      if (pathname === '/v3/billdownload/file') {
        const file = billOf(searchParams.get('token') ?? '', { appId, mchId }, [...book.values()], [...refunds.values()])
        const bytes = Buffer.from(file ?? '')
        return void response.writeHead(200).end(standIn.billFile(searchParams.get('tar_type') === 'GZIP' ? gzipSync(bytes) : bytes))
      }
      const trouble = troubles.shift()
      const route = routes.find(([shape]) => shape.test(call))?.[1]
      const reply = () =>
        route ? route({ method: request.method!, path: pathname, query: searchParams, body: text ? JSON.parse(text) : {} }) : no(404, 'NO')
      if (trouble === undefined) return answer(response, reply())
      return makeTrouble(trouble, response, reply)
    })().catch(() => response.destroy())
  })
  const answer = (
    response: ServerResponse,
    { status, body }: Reply,
    signs = true,
    change: (text: string) => string = (same) => same,
  ): void => {
    const text = body === null ? '' : JSON.stringify(body)
    const headers = signs ? signedHeaders(keys, text, now(), serial) : {}
    // The real one says its own time.
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', date: new Date(now()).toUTCString(), ...headers })
    response.end(change(text))
  }
  const makeTrouble = (trouble: PayTrouble, response: ServerResponse, reply: () => Reply) => {
    if (typeof trouble === 'object') return answer(response, no(trouble.status, trouble.code))
    if (trouble === 'done, then silence' || trouble === 'done, then hang up') reply()
    if (trouble.endsWith('silence')) return
    if (trouble.endsWith('hang up')) return void response.destroy()
    if (trouble === 'busy') return answer(response, no(500, 'SYSTEM_ERROR', '系统异常，请用相同参数重新调用'))
    if (trouble === 'limited') return answer(response, no(429, 'FREQUENCY_LIMITED'))
    if (trouble === 'page') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
    const { status, body } = reply()
    if (trouble === 'changed')
      return answer(response, { status, body }, true, (text) => text.replace(/\d/, (digit) => String(9 - Number(digit))))
    if (trouble === 'unsigned') return answer(response, { status, body }, false)
    const text = JSON.stringify(body)
    response.writeHead(
      status,
      signedHeaders({ ...keys, platform: { ...keys.platform, privateKey: keys.merchant.privateKey } }, text, now(), serial),
    )
    response.end(text)
  }
  const pages = (method: string, path: string, query: URLSearchParams, text: string, response: ServerResponse) => {
    const say = (html: string, status = 200) => response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    const trade = find(query.get('pr') ?? new URLSearchParams(text).get('pr') ?? '\u0000')
    if (path === '/' && method === 'GET') return say(listPage([...book.values()].map(lapse)))
    if (path === '/scan' && method === 'GET' && trade) return say(scanPage(lapse(trade)))
    if (path === '/scan' && method === 'POST' && trade) return say(paidPage((trade.state === 'CLOSED' ? payLate : pay)(trade.otn)))
    return say(paidPage(false), 404)
  }
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const standIn: PayStandIn = {
    url: url(),
    keys,
    book,
    refunds,
    troubles,
    calls,
    held,
    courier: () => 'send',
    billFile: (file) => file,
    settings: (over = {}) => ({
      ...{ mchId, appId, serial: keys.merchant.serial, privateKey: keys.merchant.privateKey, v3Key: keys.v3Key },
      publicKey: certificates ? null : { id: keys.platform.id, pem: keys.platform.publicKey },
      ...{ url: url(), notifyUrl: options.notifyUrl ?? 'http://127.0.0.1:1/', appSecret: null, testMoney: true },
      ...over,
    }),
    pay,
    payLate,
    find,
    noticeOf,
    deliver,
    later: (seconds) => {
      shift += seconds * 1_000
    },
    close: async () => {
      for (const timer of sending) clearTimeout(timer)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return standIn
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

/** The request is signed by our merchant, now. */
function isMerchant(keys: PayKeys, { method, url, headers }: IncomingMessage, body: string, now: number): boolean {
  const given = Object.fromEntries([...(headers.authorization ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
  const { timestamp = '', nonce_str = '', signature = '', serial_no } = given
  if (serial_no !== keys.merchant.serial || Math.abs(now / 1_000 - Number(timestamp)) > 300) return false
  const signed = Buffer.from(`${method}\n${url}\n${timestamp}\n${nonce_str}\n${body}\n`)
  return verify('RSA-SHA256', signed, keys.merchant.publicKey, Buffer.from(signature, 'base64'))
}

import { sentences } from '@convexa/contract/rules/sentences'
/** Texts of the error catalogue (specification 8, product.md 2.1) that do not come from the server. */
export const messages = {
  login: sentences.loginFirst,
  response: '请求出错',
  /** While a call was under way another person logged in, in another tab: it is not sent as theirs. */
  otherUser: '已换成另一个账号登录，刚才的操作没有执行',
  /** No answer: none came, or none within the time that the call has. */
  network: '网络连接失败，请检查网络',
  bindCode: '获取微信绑定验证码失败',
  bind: '微信绑定失败',
  webCredential: '创建微信网页凭证失败',
  paymentRestricted: sentences.payInWechat,
  streamUnreadable: '读取数据异常',
  /** The connection was there and is lost: the server cancels what nobody listens to. */
  streamCut: '连接中断，运行已取消',
  streamBroken: (reason: string) => `网络连接异常:${reason}`,
} as const

export type FailureKind =
  /** The server answered with a failure. */
  | 'response'
  /** There was no answer. */
  | 'network'
  /** There was none in time: as `network` to the eye, but a screen may say more of it. */
  | 'timeout'
  /** 401 or 403: the warning is shown by itself, nothing more is to be said. */
  | 'login'
  | 'stream'

/** A call that failed: `message` is a Chinese sentence for the user, `code` the server's business code or 0. */
export class CallError extends Error {
  readonly kind: FailureKind
  readonly code: number
  readonly requestId: string | null
  /** HTTP status; 0 where there was no answer. */
  readonly status: number
  /** The envelope's `data`: null, except where a failure brings something along (11021). */
  readonly data: unknown
  /** Seconds to wait, where the server says how long. */
  readonly retryAfter: number | null
  /** Milliseconds from the call to its failure. */
  took = 0

  constructor(
    kind: FailureKind,
    message: string,
    code = 0,
    requestId: string | null = null,
    status = 0,
    data: unknown = null,
    retryAfter: number | null = null,
  ) {
    super(message)
    this.name = 'CallError'
    this.kind = kind
    this.code = code
    this.requestId = requestId
    this.status = status
    this.data = data
    this.retryAfter = retryAfter
  }
}

/** What to show for anything thrown. */
export const sentenceOf = (error: unknown): string => (error instanceof CallError ? error.message : messages.response)

/** Nothing came in time: no answer within the call's own time, or the server gave up computing (23021). */
export const isLate = (error: unknown): boolean => error instanceof CallError && (error.kind === 'timeout' || error.code === 23021)

/** Texts of the error catalogue (specification 8) that do not come from the server. */
export const messages = {
  login: '请先登录',
  response: '请求出错',
  network: '网络连接失败，请检查网络',
  timeout: '请求超时，请稍后重试',
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

  constructor(kind: FailureKind, message: string, code = 0, requestId: string | null = null, status = 0) {
    super(message)
    this.name = 'CallError'
    this.kind = kind
    this.code = code
    this.requestId = requestId
    this.status = status
  }
}

/** What to show for anything thrown. */
export const sentenceOf = (error: unknown): string => (error instanceof CallError ? error.message : messages.response)

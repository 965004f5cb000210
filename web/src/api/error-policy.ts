import type { Call } from '@convexa/contract/calls'
import { messages } from './messages.ts'

/** How the error of an endpoint is shown (specification 8): by default the body's `msg`, else 请求出错, shown where it was asked. */
export interface ErrorPolicy {
  /** Said where the server sent no sentence. */
  fallback: string
  /** Shown as an error toast too, besides being thrown. */
  toast: boolean
}

interface Row extends Partial<ErrorPolicy> {
  methods: readonly Call['method'][]
  path: RegExp
}

const any = ['GET', 'POST', 'PUT', 'DELETE'] as const
const network = { fallback: messages.network }

/** The first row that fits holds; a path is the endpoint's, with its `{places}`. */
const rows: readonly Row[] = [
  { methods: ['GET'], path: /\/bind-wechat-code$/, fallback: messages.bindCode },
  { methods: ['POST'], path: /\/bind-wechat$/, fallback: messages.bind },
  { methods: ['POST'], path: /\/wechat-web-credential$/, fallback: messages.webCredential },
  { methods: ['POST', 'PUT'], path: /^\/v1\/quant\/qmt\/(account|trading-config|config)(\/\{id\})?$/, ...network, toast: true },
  // Every other quant call, the rest of QMT among them: no toast; the page shows the failure in its place.
  { methods: any, path: /^\/v1\/quant\//, ...network },
]

export function errorPolicyOf({ method, path }: Pick<Call, 'method' | 'path'>): ErrorPolicy {
  const row = rows.find((one) => one.methods.includes(method) && one.path.test(path))
  return { fallback: row?.fallback ?? messages.response, toast: row?.toast ?? false }
}

/** Calls that log in, and so say which browser asks: the fingerprint goes to these of our own and nowhere else. */
const logins = /^\/v1\/(authorize\/access-token\/by-|user\/(by-register|\{target\}\/bind-wechat)$)/

export const logsIn = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean => method === 'POST' && logins.test(path)

/** Calls that show the cookie of the browser's own scan (`__Host-wxs`); no other call carries a cookie. */
const scans = /\/(by-wechat-web|wechat-web-credential)$/

export const showsScan = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean => method === 'POST' && scans.test(path)

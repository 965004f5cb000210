import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** Word in index.html that each answer replaces by its own nonce. */
export const noncePlace = '__CSP_NONCE__'

/** On every answer, errors and streams included. Set on the raw response: it is there before any hook or refusal. */
const always: Readonly<Record<string, string>> = {
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-dns-prefetch-control': 'off',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy':
    'accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()',
}

/** Nothing in a JSON answer may ever run or be framed. */
const apiPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function setHeaders(out: ServerResponse): void {
  for (const [name, value] of Object.entries(always)) out.setHeader(name, value)
  out.setHeader('content-security-policy', apiPolicy)
  out.setHeader('cache-control', 'no-store')
}

export const newNonce = (): string => randomBytes(18).toString('base64')

/** Policy of the page (reliability.md 2.4): scripts and style tags only with this answer's nonce, frames only of WeChat's page to scan, calls and avatars of the api's host too where it is another. */
export function pagePolicy(nonce: string, frames: string, apiHost: string | null = null): string {
  const api = apiHost ? ` ${apiHost}` : ''
  return [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob: https://thirdwx.qlogo.cn${api}`,
    `connect-src 'self'${api}`,
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'none'",
    `frame-src ${frames}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

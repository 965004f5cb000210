/**
 * `data: kind=payload` lines of the two backtest streams (reliability.md 4.1): written by the server, read by the client.
 * kind is `success` (payload: one line of JSON) or `error` (a sentence ending in `[code]`); the first `=` separates.
 */
export type StreamLine =
  | { kind: 'success'; payload: string }
  | { kind: 'error'; message: string; code: number }
  | { kind: 'other'; payload: string }

export const heartbeat = ': ping\n\n'
export const heartbeatSeconds = 10

export const successLine = (event: unknown): string => `data: success=${JSON.stringify(event)}\n\n`

export const errorLine = (message: string, code: number): string =>
  `data: error=${message.replace(/[\p{Cc}\p{Cs}\u2028\u2029]+/gu, ' ')}[${code}]\n\n`

/** What follows `data:` in one line; null when there is no `=` (an unparsable message). */
export function readLine(data: string): StreamLine | null {
  const text = data.trim()
  const at = text.indexOf('=')
  if (at <= 0) return null
  const kind = text.slice(0, at)
  const payload = text.slice(at + 1)
  if (kind === 'success') return { kind, payload }
  if (kind !== 'error') return { kind: 'other', payload }
  const match = /^(.*)\[(\d+)\]$/s.exec(payload)
  return match ? { kind, message: match[1] ?? '', code: Number(match[2]) } : { kind, message: payload, code: 0 }
}

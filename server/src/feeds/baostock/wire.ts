/**
 * BaoStock's own protocol over TCP, as its Python client 0.9.4 speaks it (providers.md 6). A message is
 *
 *     version \x01 type \x01 length of the body, ten digits | body, its parts between \x01 | \x01 crc32 of both | \n
 *
 * An answer ends with `<![CDATA[]]>\n`; the bodies of some types are packed by zlib, and their length is that of the packed bytes. One
 * question at a time on a connection; nothing but these bytes says where an answer ends, so a connection that failed is not used again.
 */
import { connect, type Socket } from 'node:net'
import { crc32, inflateSync } from 'node:zlib'
import { FeedError } from '../feed.ts'

export const messageTypes = {
  login: '00',
  'adjust factor': '15',
  'trade dates': '33',
  'stock basic': '45',
  bars: '95',
  'day of all stocks': '98',
} as const
export type MessageType = (typeof messageTypes)[keyof typeof messageTypes]

const version = '00.9.40'
const split = '\x01'
const headBytes = 21
const ending = Buffer.from('<![CDATA[]]>\n')
/** Types whose answers are packed. */
const packed = new Set(['96', '99', '9B', '9D'])
const label = 'BaoStock'

/** A question as bytes. */
export function message(type: MessageType, parts: readonly string[]): Buffer {
  const body = parts.join(split)
  // Counted in characters, as the client does; questions are ASCII.
  const head = [version, type, String(body.length).padStart(10, '0')].join(split)
  return Buffer.from(`${head}${body}${split}${crc32(head + body)}\n`)
}

/** The parts of an answer's body. @throws FeedError `shape` */
export function partsOf(answer: Buffer): string[] {
  const [, type = '', length = ''] = answer.subarray(0, headBytes).toString('latin1').split(split)
  if (!/^\d{10}$/.test(length)) throw new FeedError('shape', `${label}的应答没有已知的报头`)
  const body = answer.subarray(headBytes, packed.has(type) ? headBytes + Number(length) : answer.length - ending.length)
  if (packed.has(type) && body.length < Number(length)) throw new FeedError('shape', `${label}的应答不完整`)
  return (packed.has(type) ? unpacked(body) : body).toString('utf8').split(split)
}

/** A day of all stocks is 2 MB; what unpacks to more is none. */
const mostBytes = 64 * 1024 * 1024

function unpacked(body: Buffer): Buffer {
  try {
    return inflateSync(body, { maxOutputLength: mostBytes })
  } catch {
    throw new FeedError('shape', `${label}的应答无法解压`)
  }
}

export interface Wire {
  /** One question, one answer. @throws FeedError `network` */
  ask(question: Buffer, signal: AbortSignal): Promise<Buffer>
  close(): void
}

/** A connection, opened at its first question. */
export function wire({ host, port, timeoutMs }: { host: string; port: number; timeoutMs: number }): Wire {
  let socket: Socket | null = null
  const close = () => {
    socket?.destroy()
    socket = null
  }
  return {
    close,
    ask: (question, signal) => {
      // The connection may fail at any time: a pending question listens for that itself, and between questions it does not matter.
      const line = (socket ??= connect({ host, port }).on('error', () => {}))
      return new Promise<Buffer>((resolve, reject) => {
        const parts: Buffer[] = []
        let size = 0
        const settle = (outcome: () => void) => {
          clearTimeout(late)
          line.off('data', onData).off('error', onEnd).off('close', onEnd)
          signal.removeEventListener('abort', onAbort)
          outcome()
        }
        const failed = (words: string) =>
          settle(() => {
            close()
            reject(new FeedError('network', words))
          })
        const onEnd = () => failed(`无法连接${label}，或连接中断`)
        const onAbort = () =>
          settle(() => {
            close()
            reject(signal.reason)
          })
        const onData = (part: Buffer) => {
          parts.push(part)
          size += part.length
          if (size > mostBytes) return failed(`${label}的应答过大`)
          const tail = part.length >= ending.length ? part : Buffer.concat(parts)
          if (tail.subarray(-ending.length).equals(ending)) settle(() => resolve(Buffer.concat(parts)))
        }
        const late = setTimeout(() => failed(`${label}没有及时应答`), timeoutMs)
        line.on('data', onData).on('error', onEnd).on('close', onEnd)
        signal.addEventListener('abort', onAbort)
        if (signal.aborted) return onAbort()
        // It ended while nobody asked: nobody will be told of that any more.
        if (line.destroyed) return onEnd()
        line.write(question)
      })
    },
  }
}

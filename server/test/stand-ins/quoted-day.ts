/** A trading day as Tencent and Sina would tell it: both in their own lines over HTTP, at a clock of one's own, each well or ill. */
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shanghaiTime } from '../../src/base/time.ts'

type Source = 'tencent' | 'sina'

/** `refuses`: nobody there. `page`: HTML in place of data. `cut`: the body ends in the middle. `frozen`: answers as of when it froze. */
export type Manner = 'answers' | 'refuses' | 'hangs' | 'page' | 'cut' | 'frozen'

export interface QuotedDay {
  readonly urls: Readonly<Record<Source, string>>
  /** How often each was asked. */
  readonly asked: Readonly<Record<Source, number>>
  behave(source: Source, manner: Manner): void
  close(): Promise<void>
}

/** Prices are made so often, in ms. */
const everyMs = 3_000

/** The moment of the last prices at a moment: every three seconds while there is trade, then that of the session's end. */
function madeBy(ms: number): number {
  const day = shanghaiTime(new Date(ms)).slice(0, 10)
  const at = (time: string) => Date.parse(`${day}T${time}+08:00`)
  const made = Math.floor(ms / everyMs) * everyMs
  for (const [from, to] of [
    ['13:00:00', '15:00:00'],
    ['09:30:00', '11:30:00'],
    ['09:15:00', '09:25:00'],
  ] as const) {
    if (made >= at(from)) return Math.min(made, at(to))
  }
  return at('15:00:00') - 86_400_000
}

/** The price of a code at a moment, in yuan with three decimals: it says when it was made. */
export function priceAt(code: string, madeAt: number): number {
  // Shares of the small market are called S0, S1 …
  const place = Number(/\d{1,4}$/.exec(code)?.[0])
  return Math.round(1_000 * (100 + (place % 40) + ((madeAt / everyMs) % 7_200) / 1_000)) / 1_000
}

/** Previous close, and shares traded. */
const usual = { before: 101.5, shares: 12_340 }

export async function quotedDay(now: () => number): Promise<QuotedDay> {
  const asked = { tencent: 0, sina: 0 }
  const manners: Record<Source, { manner: Manner; since: number }> = {
    tencent: { manner: 'answers', since: 0 },
    sina: { manner: 'answers', since: 0 },
  }
  const servers: Server[] = []
  const open = async (source: Source, line: (code: string, madeAt: number) => string) => {
    const server = createServer((request, response) => {
      asked[source]++
      const { manner, since } = manners[source]
      if (manner === 'hangs') return
      if (manner === 'refuses') return void request.socket.destroy()
      const list = /(?:q|list)=([\w,]*)/.exec(request.url ?? '')?.[1] ?? ''
      const made = madeBy(manner === 'frozen' ? since : now())
      const text = list
        .split(',')
        .map((code) => line(code, made))
        .join('')
      answer(response, manner, text)
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  return {
    urls: { tencent: await open('tencent', tencentLine), sina: await open('sina', sinaLine) },
    asked,
    behave(source, manner) {
      manners[source] = { manner, since: now() }
    },
    async close() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
    },
  }
}

/** Names are left out: in GBK every other byte is as in ASCII. */
function answer(response: ServerResponse, manner: Manner, text: string): void {
  if (manner === 'page') return void response.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>busy</body></html>')
  response.writeHead(200, { 'content-type': 'text/plain; charset=GBK', connection: 'close' })
  response.end(manner === 'cut' ? text.slice(0, Math.floor(text.length * 0.6)) : text)
}

const parts = (madeAt: number) => {
  const time = shanghaiTime(new Date(madeAt))
  return { date: time.slice(0, 10), time: time.slice(11, 19) }
}

function tencentLine(code: string, madeAt: number): string {
  const price = priceAt(code, madeAt)
  const { date, time } = parts(madeAt)
  const cells = Array.from({ length: 50 }, () => '')
  const put = (place: number, value: string | number) => (cells[place] = String(value))
  put(0, '1')
  put(2, code.slice(2))
  put(3, price)
  put(4, usual.before)
  put(5, usual.before)
  put(6, usual.shares / 10)
  put(30, date.replaceAll('-', '') + time.replaceAll(':', ''))
  put(33, Math.max(price, usual.before))
  put(34, Math.min(price, usual.before))
  put(35, `${price}/${usual.shares / 10}/${Math.round(price * usual.shares)}`)
  return `v_${code}="${cells.join('~')}";\n`
}

function sinaLine(code: string, madeAt: number): string {
  const price = priceAt(code, madeAt)
  const { date, time } = parts(madeAt)
  const cells = Array.from({ length: 33 }, () => '0')
  const ends = [Math.max(price, usual.before), Math.min(price, usual.before)]
  cells.splice(0, 6, '', String(usual.before), String(usual.before), String(price), ...ends.map(String))
  cells.splice(8, 2, String(usual.shares), String(Math.round(price * usual.shares)))
  cells.splice(30, 3, date, time, '00')
  return `var hq_str_${code}="${cells.join(',')}";\n`
}

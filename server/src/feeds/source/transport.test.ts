import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { groundAt } from '../../../test/feeds/ground.ts'
import { transport } from './transport.ts'

/** The fault that a caller gets of a source with such an answer. */
async function toldOf(status: number, headers: OutgoingHttpHeaders) {
  const server = createServer((_, response) => response.writeHead(status, headers).end('later'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const urls = [`http://127.0.0.1:${(server.address() as AddressInfo).port}/`]
  try {
    const ask = transport(groundAt(), { backOffMs: [] })
    return await ask({ label: '某源', what: 'some', urls }, String, { signal: new AbortController().signal }).catch(
      (error: unknown) => error,
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const at = (time: string) => `Fri, 27 Nov 2026 ${time} GMT`

test.each<[number, OutgoingHttpHeaders, 'wait' | 'network', number]>([
  [429, {}, 'wait', 61_000],
  [429, { 'retry-after': '120' }, 'wait', 120_000],
  [429, { 'retry-after': 'soon' }, 'wait', 61_000],
  [429, { 'retry-after': '0' }, 'wait', 61_000],
  // As a date, by the clock of who says it.
  [429, { date: at('06:00:00'), 'retry-after': at('08:00:00') }, 'wait', 7_200_000],
  [429, { date: at('06:00:00'), 'retry-after': at('05:59:00') }, 'wait', 61_000],
  // Two days are not a minute; nobody is left alone for longer than a day at once.
  [429, { 'retry-after': '172800' }, 'wait', 86_400_000],
  [503, { 'retry-after': '3600' }, 'wait', 3_600_000],
  [503, {}, 'network', 0],
  [500, { 'retry-after': '3600' }, 'network', 0],
])('an answer %i with %o: %s, for %i ms', async (status, headers, kind, waitMs) => {
  expect(await toldOf(status, headers)).toMatchObject({ kind, waitMs })
})

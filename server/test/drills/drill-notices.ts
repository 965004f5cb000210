/**
 * `npm run drill:notices`: notices of payments over HTTP, on a PostgreSQL that flushes (G4). Prints how they were answered and how long it
 * took; status 1 when one gave what it must not, or came after the five seconds that WeChat waits. The p99 of G4 is printed and judged by nobody.
 *
 *   one notice a thousand times, fifty at once · ten thousand changed ones · a thousand payments, each heard for the first time
 */

import { sql } from 'kysely'
import { openFigures, quantile } from '../fixtures/figures.ts'
import { openShop } from '../fixtures/shop.ts'
import type { PayNotice } from '../stand-ins/pay-stand-in.ts'
import { readDrillOptions } from './drill-options.ts'
import { type Answers, changedNotices, sendAll, sendable, timeWords } from './notice-drills.ts'
import { drillSite } from './pay-drill-site.ts'

const given = readDrillOptions({
  replays: { whole: 1_000, quick: 200 },
  changed: { whole: 10_000, quick: 1_000 },
  payments: { whole: 1_000, quick: 100 },
  seed: { whole: 20261122, quick: 20261122 },
})
const site = await drillSite()
const shop = await openShop({ database: { ...site, url: site.databaseUrl, drop: site.close } })
const figures = openFigures()
try {
  shop.standIn.courier = () => 'hold'
  const buyer = await shop.buyer()
  const bought = async (who: typeof buyer): Promise<PayNotice> => {
    shop.standIn.pay(await who.scan(await who.order()))
    const notice = shop.standIn.held.pop()
    if (!notice) throw new Error('a payment without its notice')
    return notice
  }
  const grants = async () =>
    Number((await sql<{ n: number }>`select count(*) as n from subscription_grant`.execute(shop.database.db)).rows[0]?.n)
  const send = (notice: PayNotice) => shop.standIn.deliver(notice)

  const notice = await bought(buyer)
  const changed = await sendAll(changedNotices(notice, shop.standIn.keys, given.changed, given.seed), 16, (one) => send(sendable(one)))
  say(`${given.changed} changed notices, 16 at once`, changed, await grants(), 0)
  const replayed = await sendAll(Array<PayNotice>(given.replays).fill(notice), 50, send)
  say(`one notice ${given.replays} times, 50 at once`, replayed, await grants(), 1)

  const first: PayNotice[] = []
  for (let i = 0; i < given.payments; i++) first.push(await bought(await shop.buyer()))
  const settled = await sendAll(first, 16, send)
  say(`${given.payments} payments heard for the first time, 16 at once`, settled, (await grants()) - 1, first.length)

  function say(what: string, answers: Answers, granted: number, expected: number): void {
    const { statuses, times } = answers
    const told = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
    const answer = expected === 0 ? 401 : 204
    // 503 is a machine that is asked for too much: sent again, as WeChat does.
    const odd = [...statuses.keys()].filter((status) => status !== answer && status !== 503)
    figures.goal(what, told, `${answer}, or 503 and sent again`, odd.length === 0)
    figures.goal('  grants', String(granted), String(expected), granted === expected)
    figures.fact('  times', `${timeWords(answers)} (G4: p99 200 ms on a quiet machine)`)
    figures.atMost('  longest answer (WeChat waits so long)', quantile(times, 1), 5_000, 'ms')
  }
} finally {
  await shop.close()
}
process.exit(figures.end())

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ConfigListItem, DryRun, Fill, Questions } from '@convexa/contract'
import { describe, expect, test } from 'vitest'
import type { AppContext } from '../../../src/context/app-context.ts'
import { dryRun } from '../../../src/qmt/dry-run.ts'
import { addStrategy } from '../../../src/strategy/strategies.ts'
import { usesToday } from '../../../src/usage/quota.ts'
import { publishSmallMarket } from '../../fixtures/market/small-market.ts'
import { hasPython, python } from '../../fixtures/python.ts'
import { qmtConfig, qmtTrading } from '../../fixtures/qmt.ts'
import { friday, monday, qmtMonday } from '../../fixtures/qmt-monday.ts'
import { parameters } from '../../fixtures/requests.ts'
import { datesOf, unzip } from '../../fixtures/zip-reader.ts'

// From a config to what goes out to its client.

const { clock, here, ask, client, pull, rehearse, exported, showPassword } = qmtMonday()

describe('a dry run', () => {
  test('without positions buys the list, each line with reason, lots, amount and participation', async () => {
    const { code, data } = await rehearse({ holdings: [] })
    expect(code).toBe(0)
    expect(data).toMatchObject({
      trade_date: monday,
      signal_date: friday,
      data_mode: 'imported',
      holdings_from: 'given',
      targets: 5,
      warnings: [],
    })
    expect(data.rows).toHaveLength(5)
    for (const row of data.rows) {
      expect(row).toMatchObject({ action: 'buy', held: 0, difference: row.target })
      expect(row.target % 10).toBe(0)
      expect(row.amount).toBeCloseTo(row.target * row.price!, 2)
      expect(row.fee).toBeCloseTo(row.amount! * 0.001, 2)
      expect(row.reason_text).toMatch(/^(新进|未持有)：名次 \d/)
    }
    expect(data.buy_amount).toBeLessThanOrEqual(98_000)
    expect(data.buy_amount + data.unused_cash).toBeCloseTo(100_000, 2)
  })

  test('plans no trade of a resting or doubtful security, which keeps its place and its money and is named', async () => {
    const whole = (await rehearse({ holdings: [] })).data
    const [unsure, waits, rested] = whole.rows
    const text = '110901 10\n110905 10\n110908 10\n110910 10\n110903 10'
    const gone = (await rehearse({ holdings_text: text })).data.rows.find(({ action }) => action === 'sell')!
    const holdings = [
      { code: rested!.code, volume: 10 },
      { code: gone.code, volume: 10 },
    ]
    const beat = (over: object) =>
      client('POST', '/heartbeat', {
        ...{ config_id: here().config, client_version: '2.0.0', dry_run: false, fresh: false, holdings, journal: { id: 'resting', n: 9 } },
        fills: [unsureBuy(unsure!.code), { ...unsureBuy(waits!.code), order_id: 'OPEN2345', status: 'open', trade_date: monday }],
        resting: [
          { code: unsure!.code, why: 'order', since: friday, order_id: 'ASKD2345', book: 0 },
          { code: rested!.code, why: 'less', since: friday, account: 0, book: 10 },
          { code: gone.code, why: 'ex', since: friday, account: 10, book: 10 },
        ],
        ...over,
      })
    expect((await beat({})).data).toMatchObject({ halt: false })
    const { data } = await rehearse()
    expect(data.rows.map(({ code, target }) => [code, target])).toEqual(whole.rows.slice(3).map(({ code, target }) => [code, target]))
    expect(data.dropped.map(({ code, reason }) => [code, reason])).toEqual([
      [rested!.code, '暂停：账户里的数量少于各配置账本之和，恢复之前不买卖'],
      [gone.code, '暂停：终端的前收盘与网站不同，可能有网站还不知道的除权，恢复之前不买卖'],
      [unsure!.code, `待核对：${friday} 的买入委托不知道是否成交，回答之前不买卖`],
      [waits!.code, `${monday} 的买入委托还没有结束，结束之前不买卖`],
    ])
    // The money of three places is bound as it would be spent, and so is that of what leaves and rests; 2,000 are the reserve.
    expect(data.unused_cash).toBeCloseTo(2_000 + Math.max(0, whole.unused_cash - 2_000 - 10 * gone.price!), 2)
    expect(data.hash).not.toBe((await rehearse({ holdings })).data.hash)
    await ask('PUT', `/config/${here().config}/order/ASKD2345`, { filled: 100 })
    expect((await rehearse()).data.dropped).toContainEqual({
      ...{ code: unsure!.code, name: unsure!.name },
      reason: `待核对：${friday} 的买入委托已回答，客户端收到之前不买卖`,
    })
    // What was typed is another account than the one that the client told of; on paper nothing rests.
    expect((await rehearse({ holdings })).data.dropped).toEqual([])
    await client('POST', '/heartbeat', { config_id: here().config, client_version: '2.0.0', dry_run: true, holdings })
    expect((await rehearse()).data.dropped).toEqual([])
    await forget()
  })

  test('against a pasted table keeps the buffer, sells what left the list and buys what is new', async () => {
    const first = (await rehearse({ holdings: [] })).data
    const [best, second] = first.rows
    const { items } = (await pull()).data
    const buffered = items.find(({ weight, rank }) => weight === 0 && rank === 6)!
    const worst = await here().database.db.selectFrom('qmt_targets').select('body').executeTakeFirstOrThrow()
    expect(worst.body.items).toHaveLength(7)
    const outside = ['110901', '110905', '110908', '110910', '110903', '110902', '110904'].find((code) =>
      items.every((one) => !one.code.startsWith(code)),
    )!
    const text = `证券代码,证券名称,当前拥股\n${best!.code},甲,${best!.target}\n${buffered.code.slice(0, 6)},乙,150\n${outside},丙,57\n`
    const { data } = await rehearse({ holdings_text: text })
    const row = (code: string) => data.rows.find((one) => one.code === code)!
    expect(row(best!.code)).toMatchObject({ action: 'keep', difference: 0 })
    expect(row(buffered.code).action).not.toBe('sell')
    expect(row(second!.code).action).toBe('buy')
    expect(row(`${outside}.SH`)).toMatchObject({
      action: 'sell',
      held: 57,
      target: 0,
      reason_text: expect.stringMatching(/^移出：名次 \d+/),
    })
    expect(data.rows.filter(({ target }) => target > 0)).toHaveLength(5)
  })

  test('shows call information beside each line', async () => {
    const { data } = await rehearse({ holdings_text: '110901.SH 100\n123901.SZ 100' })
    const warningsOf = (code: string) => data.rows.find((one) => one.code === code)!.warnings
    expect([warningsOf('110901.SH'), warningsOf('123901.SZ')]).toEqual([['强赎计数 8/15'], ['已公告强赎']])
    expect(data.rows.flatMap(({ code, warnings }) => (['110901.SH', '123901.SZ'].includes(code) ? [] : warnings))).toEqual([])
  })

  test('names securities that the config ignores or that are beyond its ranks', async () => {
    const listed = (await rehearse({ holdings: [] })).data.rows
    const ignored = listed[0]!.code
    const rules = qmtTrading({ name: '只买前三', buy_rank: 3, hold_rank: 7, ignore_codes: [ignored] })
    const trading = (await ask<{ id: string }>('POST', '/trading-config', rules)).data.id
    const other = (await ask<{ id: string }>('POST', '/config', qmtConfig({ ...here().ids, trading }, { name: '只买前三' }))).data.id
    const { data } = await ask<DryRun>('POST', `/config/${other}/dry-run`, { holdings: [] })
    expect(data.rows.map(({ code }) => code)).toEqual([listed[1]!.code, listed[2]!.code])
    expect(data.dropped.map(({ code, reason }) => [code, reason])).toEqual([
      [listed[3]!.code, '名次 4，超出买入名次 3'],
      [listed[4]!.code, '名次 5，超出买入名次 3'],
      [ignored, '在忽略名单中，不买不卖'],
    ])
    expect((await ask('DELETE', `/config/${other}`)).code).toBe(0)
  })

  test('names open parts of the day, which do not change the hash', async () => {
    const { data } = await rehearse({ holdings: [] })
    const { db } = here().database
    const part = { market: 'cb', day: data.signal_date, part: 'prices', state: 'missing', expected: 1, found: 0, lacking: '[]' } as const
    await db
      .insertInto('day_part')
      .values({ ...part, source: null, asked_at: new Date() })
      .execute()
    const { warnings, hash } = (await rehearse({ holdings: [] })).data
    expect(warnings).toEqual([...data.warnings, `${data.signal_date.slice(5)} 的转股价尚未到齐，名单按此前已知的`])
    expect(hash).toBe(data.hash)
    await db.deleteFrom('day_part').execute()
  })

  test('with an unreadable table names the place', async () => {
    expect(await rehearse({ holdings_text: '999999 10' })).toMatchObject({ status: 400, code: 40000 })
    expect((await rehearse({ holdings_text: 'x' })).msg).toContain('第 1 行没有证券代码')
  })

  test('is confirmed by its own hash only; another one has to be confirmed again', async () => {
    const { data } = await rehearse({ holdings: [] })
    expect(await ask('POST', `/config/${here().config}/confirm`, { hash: 'a'.repeat(64) })).toMatchObject({ status: 409, code: 40009 })
    expect((await ask('POST', `/config/${here().config}/confirm`, { hash: data.hash })).code).toBe(0)
    const told = async () => (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items[0]!
    expect(await told()).toMatchObject({ diff_count: 5, confirmed_at: expect.any(String) })
    expect((await rehearse({ holdings: [] })).data.hash).toBe(data.hash)
    expect((await told()).confirmed_at).not.toBeNull()
    await rehearse({ holdings: [{ code: data.rows[0]!.code, volume: 10 }] })
    expect((await told()).confirmed_at).toBeNull()
  })

  test('cannot be confirmed after a change of the trading config', async () => {
    const { data } = await rehearse({ holdings: [] })
    await ask('PUT', `/trading-config/${here().ids.trading}`, qmtTrading({ hold_rank: 7, heartbeat: '09:16' }))
    expect(await ask('POST', `/config/${here().config}/confirm`, { hash: data.hash })).toMatchObject({ status: 409, code: 40009 })
  })

  test('that ends late is not confirmed by a confirmation made meanwhile', async () => {
    const row = async () => (await ask<{ list_items: ConfigListItem[] }>('GET', '/config/list')).data.list_items[0]!
    await rehearse({ holdings: [] })
    const other = [{ code: '110901.SH', volume: 10 }]
    let meanwhile = async () => {
      meanwhile = async () => undefined
      const { data } = await rehearse({ holdings: other })
      await ask('POST', `/config/${here().config}/confirm`, { hash: data.hash })
      expect((await row()).confirmed_at).not.toBeNull()
    }
    const compute: AppContext['compute'] = {
      ...here().context.compute,
      call: async (...given) => {
        const answer = await here().context.compute.call(...given)
        await meanwhile()
        return answer
      },
    }
    await dryRun({ ...here().context, compute }, here().user.id, here().config, { holdings: [] }, new AbortController().signal)
    expect((await row()).confirmed_at).toBeNull()
  })
})

describe('an export', () => {
  test('is a zip of config and client without secrets, marked while it is not confirmed', async () => {
    const answer = await exported()
    expect(answer.statusCode).toBe(200)
    const name = decodeURIComponent(/filename\*=UTF-8''(.+)$/.exec(String(answer.headers['content-disposition']))![1]!)
    expect(name).toBe('双低实盘-20261123_未确认.zip')
    expect(answer.headers['x-sha256']).toBe(createHash('sha256').update(answer.rawPayload).digest('hex'))
    // Equal files make equal archives: no moment of packing is in them.
    expect(new Set(datesOf(answer.rawPayload))).toEqual(new Set([0x21]))
    const files = unzip(answer.rawPayload)
    const settings = JSON.parse(files.get('config.json')!.toString('utf8'))
    expect(settings).toMatchObject({
      format: 1,
      api_key: '',
      config_id: here().config,
      account: { label: '主账户 ****0001' },
      trading: { dry_run: true },
    })
    expect([...files.keys()]).toContain('convexa_qmt/__init__.py')
    expect(files.get('config.json')!.toString('utf8')).not.toMatch(/70010001|qmt_/)
  })

  test('has no mark after confirmation', async () => {
    const { data } = await rehearse({ holdings: [] })
    await ask('POST', `/config/${here().config}/confirm`, { hash: data.hash })
    expect(decodeURIComponent(String((await exported()).headers['content-disposition']))).toContain('双低实盘-20261123.zip')
  })

  test('with a key contains a new one and needs the password', async () => {
    await here().database.db.updateTable('session').set({ re_auth_until: null }).execute()
    expect((await exported('?with_key=1')).json()).toMatchObject({ code: 11013 })
    await showPassword()
    const settings = JSON.parse(
      unzip((await exported('?with_key=1')).rawPayload)
        .get('config.json')!
        .toString('utf8'),
    )
    expect((await pull(monday, settings.api_key)).code).toBe(0)
    // The old key stays valid for ten minutes.
    expect((await pull()).code).toBe(0)
    here().key = settings.api_key
  })

  test('and a confirmation are refused while the kill switch is on (24005)', async () => {
    await ask('PUT', '/kill-switch', { on: true })
    expect((await exported()).json()).toMatchObject({ code: 24005 })
    expect(await ask('POST', `/config/${here().config}/confirm`, { hash: 'a'.repeat(64) })).toMatchObject({ status: 409, code: 24005 })
    await ask('PUT', '/kill-switch', { on: false })
  })
})

test('config, export, client in a simulator and its fills on the page', async ({ skip }) => {
  if (!hasPython) skip('python3 is not here: the client was not run')
  const folder = mkdtempSync(join(tmpdir(), 'qmt-client-'))
  try {
    for (const [name, bytes] of unzip((await exported('?with_key=1')).rawPayload)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), bytes)
    }
    const settings = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8')) as object
    const address = await here().app.listen({ port: 0, host: '127.0.0.1' })
    // The evening before: a rehearsal needs no trading hours.
    clock.now = new Date('2026-11-22T20:00:00+08:00')
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...settings, server: address }))
    const { status, said } = await python([join(folder, 'run_simulator.py')])
    expect([status, said]).toEqual([0, expect.stringMatching(/今日委托 [1-9]\d* 笔.*未到目标 0 只/)])
    // A rehearsal is a day once; the same day again has nothing left to do.
    expect((await python([join(folder, 'run_simulator.py')])).said).toContain(/今日委托.*/.exec(said)![0])
    const rehearsed = (await rehearse({ holdings: [] })).data.rows.map(({ code, target }) => [code, target])
    const { data } = await ask<{ list_items: { code: string; filled: number; dry_run: boolean }[] }>(
      'GET',
      `/config/${here().config}/fills?limit=100`,
    )
    const filled = new Map<string, number>()
    for (const one of data.list_items) filled.set(one.code, (filled.get(one.code) ?? 0) + one.filled)
    expect([...filled].sort()).toEqual(rehearsed.sort())
    expect(data.list_items.every(({ dry_run }) => dry_run)).toBe(true)
    expect((await rehearse()).data).toMatchObject({ holdings_from: 'heartbeat', buy_amount: 0, sell_amount: 0 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** The client, trading for real in a made-up afternoon at a simulator whose account has `held`; it ends with the orders that it sent. */
const liveClient = `
import json, sys
sys.path.insert(0, ${JSON.stringify(fileURLToPath(new URL('../../../../qmt-client', import.meta.url)))})
from convexa_qmt.clock import TrialClock
from convexa_qmt.main import main, settings_of
from convexa_qmt.server import Rehearsal
from convexa_qmt.simulator import Simulator
folder, held = sys.argv[1], json.loads(sys.argv[2])
targets = Rehearsal(settings_of(folder)).targets(None)
broker = Simulator(dict((item['code'], item['ref_price']) for item in targets['items']), 100000.0)
for code, volume in held.items():
    broker.hold(code, volume)
main(folder, lambda *_: broker, ['--live', '--now'], TrialClock('${monday}', '14:50:00'), 'dry', Rehearsal)
print('sent ' + json.dumps(sorted([one[1], one[2], one[3]] for one in broker.sent)))
`

test('a damaged journal is rebuilt from the site’s record, and the client plans what the dry run shows', async ({ skip }) => {
  if (!hasPython) skip('python3 is not here: the client was not run')
  const { database, config, key, app } = here()
  await forget()
  await database.db.deleteFrom('qmt_targets').execute()
  const [unsure, kept] = (await rehearse({ holdings: [] })).data.rows
  const holdings = [{ code: kept!.code, volume: kept!.target }]
  const account = JSON.stringify({ [kept!.code]: kept!.target })
  // Of today: no position proves anything of it yet.
  const fills = [{ ...unsureBuy(unsure!.code), trade_date: monday }]
  await client('POST', '/heartbeat', {
    ...{ config_id: config, client_version: '2.0.0', dry_run: false, fresh: false, holdings, fills },
    journal: { id: 'damagedlater', n: 40 },
    resting: [{ code: unsure!.code, why: 'order', since: monday, order_id: 'ASKD2345', book: 0 }],
  })
  const journals = async () => (await ask<Questions>('GET', '/questions')).data.journals
  const folder = mkdtempSync(join(tmpdir(), 'qmt-damaged-'))
  const run = async () => {
    await database.db.deleteFrom('rate_use').execute()
    const { status, said } = await python(['-c', liveClient, folder, account])
    return { status, said, sent: JSON.parse(/^sent (.*)$/m.exec(said)?.[1] ?? 'null') as [string, string, number][] | null }
  }
  try {
    const address = app.server.address()
    const server =
      typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : await app.listen({ port: 0, host: '127.0.0.1' })
    const { config_version } = (await pull()).data
    const settings = { format: 1, server, api_key: key, config_id: config, config_version, name: '双低实盘', kind: 'cb', capital: 10 }
    const trading = qmtTrading({ hold_rank: 7, dry_run: false })
    writeFileSync(join(folder, 'config.json'), JSON.stringify({ ...settings, trading }))
    writeFileSync(join(folder, 'journal-live.jsonl'), '{"kind": "head", "id": "damagedlater", "n": 1, "c": 1}\n{"kind": "start"}\n')
    expect(await run()).toMatchObject({ status: 0, sent: [], said: expect.stringContaining('第 1 行已损坏') })
    expect(await journals()).toMatchObject([{ state: 'damaged', site: holdings }])
    await showPassword()
    expect((await ask('PUT', `/config/${config}/journal`, { use: 'site' })).code).toBe(0)
    const shown = (await rehearse()).data
    const { sent, said } = await run()
    expect(said).toContain('已按网站记录重建：持有 1 只，待核对委托 1 笔')
    expect(said).not.toContain('没有本配置以前的委托记录')
    expect(await journals()).toEqual([])
    // Client and site plan alike: three of five are bought, the place of what is in question stays its own.
    const lines = readFileSync(join(folder, 'journal-live.jsonl'), 'utf8').trim().split('\n')
    const plan = lines
      .map((line) => JSON.parse(line) as { kind: string; rows: [string, number, number][] })
      .find(({ kind }) => kind === 'plan')
    expect(shown.rows.map(({ code, held, target }) => [code, held, target])).toEqual(plan?.rows.filter(([code]) => code !== unsure!.code))
    expect([...new Set(sent?.map(([code]) => code))].sort()).toEqual(
      shown.rows.flatMap(({ code, action }) => (action === 'buy' ? code : [])).sort(),
    )
    expect(sent).not.toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await forget()
  }
})

const unsureBuy = (code: string): Fill => ({
  ...{ order_id: 'ASKD2345', trade_date: friday, code, side: 'buy', volume: 100, filled: 0, price: null, limit: 100, seq: 3 },
  ...{ status: 'unsure', note: '', dry_run: false, ordered_at: `${friday}T14:50:01+08:00` },
})

/** What clients told of the config. */
async function forget(): Promise<void> {
  const { db } = here().database
  await db.deleteFrom('qmt_fill').execute()
  const journal = { journal_id: null, journal_n: null, journal_told: null, journal_word: null }
  await db
    .updateTable('qmt_config')
    .set({ holdings: null, holdings_real: false, resting: null, book_changes: null, client: null, ...journal })
    .execute()
}

test('exports have a daily limit; a refused one is not counted and makes no key', async () => {
  const used = async () => (await usesToday(here().database.db, here().user.id)).get('export') ?? 0
  const setUsed = (count: number) =>
    here()
      .database.db.updateTable('quota_use')
      .set({ used: count })
      .where('user_id', '=', here().user.id)
      .where('item', '=', 'export')
      .execute()
  const before = await used()
  expect((await exported()).statusCode).toBe(200)
  const head = await here().app.inject({
    method: 'HEAD',
    url: `/v1/quant/qmt/config/export/${here().config}?with_key=1`,
    headers: { 'access-token': here().user.token },
  })
  expect(head.statusCode).toBe(405)
  expect(await used()).toBe(before + 1)
  await ask('PUT', '/kill-switch', { on: true })
  expect((await exported()).json()).toMatchObject({ code: 24005 })
  await ask('PUT', '/kill-switch', { on: false })
  expect(await used()).toBe(before + 1)
  await setUsed(20)
  const known = (await ask('GET', '/apikey')).data
  const refused = await exported('?with_key=1')
  expect([refused.statusCode, refused.json()]).toMatchObject([429, { code: 21002, msg: expect.stringContaining('每日配置导出 200 次') }])
  expect((await ask('GET', '/apikey')).data).toEqual(known)
  await setUsed(before)
})

test('demo data allow a dry run but no export (24011)', async () => {
  await publishSmallMarket(here().database.db, here().dataDir, { kind: 'stk', from: '2026-06-01', to: friday, securities: 10 })
  const strategy = (
    await addStrategy(here().context, here().user.id, 'stk', { strategy_name: '低价', detail: parameters('stk', 'close', 3, 1) })
  ).id
  const body = qmtConfig({ ...here().ids, strategy }, { name: '演示', kind: 'stk' })
  const demo = (await ask<{ id: string }>('POST', '/config', body)).data.id
  const { data } = await ask<DryRun>('POST', `/config/${demo}/dry-run`, {})
  expect(data).toMatchObject({ data_mode: 'demo', warnings: ['演示数据仅供演练，不能导出与交易'] })
  expect(await ask('GET', `/config/export/${demo}`)).toMatchObject({ status: 409, code: 24011 })
  const pulled = await client('GET', `/targets?config_id=${demo}&date=${monday}`)
  expect(pulled).toMatchObject({ status: 409, code: 24011 })
})

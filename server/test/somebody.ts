import { v4 as randomId, v7 as uuid } from 'uuid'
import type { AppContext } from '../src/context/app-context.ts'
import { sessionIdOf } from '../src/http/caller.ts'
import { packJson } from '../src/http/packed-json.ts'
import { addAccount } from '../src/qmt/accounts.ts'
import { addConfig } from '../src/qmt/configs.ts'
import { addTradingConfig } from '../src/qmt/trading-configs.ts'
import { addShare } from '../src/quant/shares.ts'
import { addGroup } from '../src/strategy/groups.ts'
import { addStrategy } from '../src/strategy/strategies.ts'
import { openSession } from '../src/user/sessions.ts'
import { groupBody, type Owned, type QmtOwned, qmtBody } from './authorization-rows.ts'
import { insertOrder, insertPlan } from './orders.ts'
import { qmtAccount, qmtTrading } from './qmt.ts'
import { parameters } from './requests.ts'
import { insertRun, insertUser } from './run-rows.ts'

/** A user who owns one of everything that a call can address. */
export async function somebody(context: AppContext): Promise<Omit<Owned, 'token'>> {
  const { db } = context
  const id = await insertUser(db)
  const [upload, uploaded] = [randomId(), randomId()]
  const expires_at = new Date(Date.now() + 600_000)
  for (const one of [upload, uploaded]) await db.insertInto('upload').values({ id: one, user_id: id, expires_at }).execute()
  const made = { id: uuid(), name: `${uuid()}.webp`, mime: 'image/webp', size: 1 }
  await db
    .insertInto('file')
    .values({ ...made, user_id: id, upload_id: uploaded })
    .execute()
  const credential = uuid()
  await db
    .insertInto('wechat_credential')
    .values({
      id: credential,
      user_id: id,
      sealed: Buffer.from('x'),
      openid_index: Buffer.from(credential),
      unionid_index: null,
      nickname: '微信用户',
      avatar_url: null,
    })
    .execute()
  const runs = { cb: await insertRun(db, id, id), stk: await insertRun(db, id, id) }
  for (const kind of ['cb', 'stk'] as const) {
    await db.updateTable('backtest_run').set({ status: 2, kind }).where('id', '=', runs[kind]).execute()
    await db
      .insertInto('run_report')
      .values({ run_id: runs[kind], report: await packJson({ own: id }, 'members'), headless: true })
      .execute()
  }
  const share = (await addShare(context, id, { backtest_id: runs.cb, ttl_days: 7 })).id
  const factors = { cb: uuid(), stk: uuid() }
  for (const kind of ['cb', 'stk'] as const) {
    const key = `custom_${factors[kind].slice(-6)}`
    const texts = { name: key, formula: 'close', canonical: 'close', description: '', unit: null }
    await db
      .insertInto('custom_factor')
      .values({ id: factors[kind], user_id: id, kind, factor_key: key, ...texts, decimals: 4, prefer_default: 'large' })
      .execute()
  }
  const strategies = { cb: await strategyOf(context, id, 'cb'), stk: await strategyOf(context, id, 'stk') }
  const members = {
    cb: [await strategyOf(context, id, 'cb'), await strategyOf(context, id, 'cb')],
    stk: [await strategyOf(context, id, 'stk'), await strategyOf(context, id, 'stk')],
  }
  const groups = { cb: await addGroup(db, id, 'cb', groupBody(members.cb)), stk: await addGroup(db, id, 'stk', groupBody(members.stk)) }
  const qmt = await qmtOf(context, id, await strategyOf(context, id, 'cb'))
  const order = await insertOrder(db, id, await insertPlan(db))
  const things = { order, qmt, runs, factors, strategies, members, groups: { cb: groups.cb.id, stk: groups.stk.id } }
  const session = sessionIdOf((await openSession(db, { id, is_demo: false }, null)).refresh_token) ?? ''
  return { id, session, share, upload, uploaded, credential, ...things }
}

async function qmtOf(context: AppContext, userId: string, strategy: string): Promise<QmtOwned> {
  const { db } = context
  const account = (await addAccount(context, userId, qmtAccount())).id
  const spareAccount = (await addAccount(context, userId, qmtAccount({ account_no: '70010002' }))).id
  const caller = { id: userId, sessionId: uuid(), level: 0, isDemo: false, guestOf: null, reAuthed: true }
  const trading = (await addTradingConfig(db, caller, qmtTrading())).id
  const spareTrading = (await addTradingConfig(db, caller, qmtTrading({ name: '备用' }))).id
  const config = (await addConfig(db, userId, qmtBody({ account, trading, strategy }))).id
  return { account, spareAccount, trading, spareTrading, strategy, config }
}

const strategyOf = async (context: AppContext, userId: string, kind: 'cb' | 'stk') =>
  (await addStrategy(context, userId, kind, { strategy_name: uuid(), detail: parameters(kind, 'close', 5, 1) })).id

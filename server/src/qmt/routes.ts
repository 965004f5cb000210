import { qmt, qmtClient, qmtDryRun, qmtTrade } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail, keyHolder, sentFile, serve, signedIn } from '../http/kernel.ts'
import { counted } from '../quant/quota.ts'
import { ownAccount } from '../user/profile-routes.ts'
import { needReAuth } from '../user/sessions.ts'
import type { World } from '../world.ts'
import { addAccount, changeAccount, listAccounts, removeAccount } from './accounts.ts'
import { apiKeyOf, makeApiKey } from './api-keys.ts'
import { makeBasket } from './basket.ts'
import { hearHeartbeat, keepFills, listFills } from './client-reports.ts'
import { addConfig, changeConfig, configOptions, listConfigs, removeConfig } from './configs.ts'
import { confirm, dryRun } from './dry-run.ts'
import { exportConfig } from './export-config.ts'
import { useJournal } from './journals.ts'
import { killSwitch, setKillSwitch } from './kill-switch.ts'
import { questionsOf, settleBook, settleOrder } from './questions.ts'
import { pullTargets } from './targets.ts'
import { addTradingConfig, changeTradingConfig, listTradingConfigs, removeTradingConfig, tradingConfigOf } from './trading-configs.ts'

/** What a user sets up for the terminal, sees before it trades, and what their client asks and tells. */
export function routes(app: FastifyInstance, world: World): void {
  const { db } = world

  serve(app, world, qmt.apiKey, async ({ user }) => apiKeyOf(db, signedIn(user).id))
  serve(app, world, qmt.newApiKey, async ({ user }) => {
    needReAuth(ownAccount(user))
    return makeApiKey(db, signedIn(user).id)
  })

  serve(app, world, qmt.accountList, async ({ user }) => listed(await listAccounts(world, signedIn(user).id)))
  serve(app, world, qmt.addAccount, async ({ body, user }) => addAccount(world, ownAccount(user).id, body))
  serve(app, world, qmt.changeAccount, async ({ params, body, user }) => {
    await changeAccount(world, signedIn(user).id, params.id, body)
    return {}
  })
  serve(app, world, qmt.removeAccount, async ({ params, user }) => {
    await removeAccount(db, signedIn(user).id, params.id)
    return {}
  })

  serve(app, world, qmt.tradingConfigList, async ({ user }) => {
    const all = await listTradingConfigs(db, signedIn(user).id)
    return listed(
      all.map(({ id, name, start_time, end_time, dry_run, updated_at }) => ({ id, name, start_time, end_time, dry_run, updated_at })),
    )
  })
  serve(app, world, qmt.tradingConfig, async ({ params, user }) => {
    return (await tradingConfigOf(db, signedIn(user).id, params.id)) ?? fail(40004)
  })
  serve(app, world, qmt.addTradingConfig, async ({ body, user }) => addTradingConfig(db, signedIn(user), body))
  serve(app, world, qmt.changeTradingConfig, async ({ params, body, user }) => {
    await changeTradingConfig(db, signedIn(user), params.id, body)
    return {}
  })
  serve(app, world, qmt.removeTradingConfig, async ({ params, user }) => {
    await removeTradingConfig(db, signedIn(user).id, params.id)
    return {}
  })

  serve(app, world, qmt.configList, async ({ user }) => listed(await listConfigs(world, signedIn(user).id)))
  serve(app, world, qmt.addConfig, async ({ body, user }) => addConfig(db, signedIn(user).id, body))
  serve(app, world, qmt.changeConfig, async ({ params, body, user }) => {
    await changeConfig(db, signedIn(user).id, params.id, body)
    return {}
  })
  serve(app, world, qmt.removeConfig, async ({ params, user }) => {
    await removeConfig(db, signedIn(user).id, params.id)
    return {}
  })
  serve(app, world, qmt.configOptions, async ({ user }) => configOptions(world, signedIn(user).id))

  serve(app, world, qmt.killSwitch, async ({ user }) => killSwitch(db, signedIn(user).id))
  serve(app, world, qmt.setKillSwitch, async ({ body, user }) => setKillSwitch(db, ownAccount(user), body.on))

  serve(app, world, qmtTrade.basket, async ({ body, user, signal }) => makeBasket(world, signedIn(user).id, body, signal))
  serve(app, world, qmtDryRun.dryRun, async ({ params, body, user, signal }) => dryRun(world, signedIn(user).id, params.id, body, signal))
  serve(app, world, qmtDryRun.confirm, async ({ params, body, user }) => confirm(db, signedIn(user).id, params.id, body.hash))
  serve(app, world, qmtDryRun.exportConfig, async ({ params, query, user }) => {
    const caller = signedIn(user)
    const { name, bytes } = await counted(db, caller.id, 'export', () => exportConfig(world, caller, params.id, query.with_key === '1'))
    return sentFile(bytes, name, 'application/zip')
  })
  serve(app, world, qmtDryRun.fillList, async ({ params, query, user }) => listFills(db, signedIn(user).id, params.id, query))

  serve(app, world, qmtDryRun.questions, async ({ user }) => questionsOf(world, signedIn(user).id))
  serve(app, world, qmtDryRun.settleOrder, async ({ params, body, user }) => {
    await settleOrder(world, ownAccount(user).id, params.id, params.order_id, body.filled)
    return {}
  })
  serve(app, world, qmtDryRun.settleBook, async ({ params, body, user }) => {
    await settleBook(db, ownAccount(user).id, params.id, params.code, body.volume)
    return {}
  })
  serve(app, world, qmtDryRun.useJournal, async ({ params, body, user }) => {
    await useJournal(db, ownAccount(user), params.id, body.use)
    return {}
  })

  serve(app, world, qmtClient.targets, async ({ query, holder, signal }) => pullTargets(world, keyHolder(holder), query, signal))
  serve(app, world, qmtClient.heartbeat, async ({ body, holder }) => hearHeartbeat(world, keyHolder(holder), body))
  serve(app, world, qmtClient.fills, async ({ body, holder }) => keepFills(world, keyHolder(holder), body))
}

const listed = <Item>(items: Item[]) => ({ list_items: items, total: items.length })

import { qmt, qmtClient, qmtDryRun, qmtTrade } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { keyHolder, sentFile, serve, throwApiError } from '../http/serve-endpoint.ts'
import { counted } from '../usage/quota.ts'
import { ownAccount } from '../user/profile-routes.ts'
import { needReAuth } from '../user/sessions.ts'
import { addAccount, changeAccount, listAccounts, removeAccount } from './accounts.ts'
import { apiKeyOf, makeApiKey } from './api-keys.ts'
import { makeBasket } from './basket.ts'
import { acceptHeartbeat, keepFills, listFills } from './client-reports.ts'
import { addConfig, changeConfig, configOptions, listConfigs, removeConfig } from './configs.ts'
import { confirm, dryRun } from './dry-run.ts'
import { exportConfig } from './export-config.ts'
import { useJournal } from './journals.ts'
import { killSwitch, setKillSwitch } from './kill-switch.ts'
import { questionsOf, settleBook, settleOrder } from './questions.ts'
import { pullTargets } from './targets.ts'
import { addTradingConfig, changeTradingConfig, listTradingConfigs, removeTradingConfig, tradingConfigOf } from './trading-configs.ts'

/** Endpoints of terminal trading: accounts, configs and dry runs of a user, pulls and reports of their client. */
export function routes(app: FastifyInstance, context: AppContext): void {
  const { db } = context

  serve(app, context, qmt.apiKey, async ({ user }) => apiKeyOf(db, user.id))
  serve(app, context, qmt.newApiKey, async ({ user }) => {
    needReAuth(ownAccount(user))
    return makeApiKey(db, user.id)
  })

  serve(app, context, qmt.accountList, async ({ user }) => listed(await listAccounts(context, user.id)))
  serve(app, context, qmt.addAccount, async ({ body, user }) => addAccount(context, ownAccount(user).id, body))
  serve(app, context, qmt.changeAccount, async ({ params, body, user }) => {
    await changeAccount(context, user.id, params.id, body)
    return {}
  })
  serve(app, context, qmt.removeAccount, async ({ params, user }) => {
    await removeAccount(db, user.id, params.id)
    return {}
  })

  serve(app, context, qmt.tradingConfigList, async ({ user }) => {
    const all = await listTradingConfigs(db, user.id)
    return listed(
      all.map(({ id, name, start_time, end_time, dry_run, updated_at }) => ({ id, name, start_time, end_time, dry_run, updated_at })),
    )
  })
  serve(app, context, qmt.tradingConfig, async ({ params, user }) => {
    return (await tradingConfigOf(db, user.id, params.id)) ?? throwApiError(errorCodes.notFound)
  })
  serve(app, context, qmt.addTradingConfig, async ({ body, user }) => addTradingConfig(db, user, body))
  serve(app, context, qmt.changeTradingConfig, async ({ params, body, user }) => {
    await changeTradingConfig(db, user, params.id, body)
    return {}
  })
  serve(app, context, qmt.removeTradingConfig, async ({ params, user }) => {
    await removeTradingConfig(db, user.id, params.id)
    return {}
  })

  serve(app, context, qmt.configList, async ({ user }) => listed(await listConfigs(context, user.id)))
  serve(app, context, qmt.addConfig, async ({ body, user }) => addConfig(db, user.id, body))
  serve(app, context, qmt.changeConfig, async ({ params, body, user }) => {
    await changeConfig(db, user.id, params.id, body)
    return {}
  })
  serve(app, context, qmt.removeConfig, async ({ params, user }) => {
    await removeConfig(db, user.id, params.id)
    return {}
  })
  serve(app, context, qmt.configOptions, async ({ user }) => configOptions(context, user.id))

  serve(app, context, qmt.killSwitch, async ({ user }) => killSwitch(db, user.id))
  serve(app, context, qmt.setKillSwitch, async ({ body, user }) => setKillSwitch(db, ownAccount(user), body.on))

  serve(app, context, qmtTrade.basket, async ({ body, user, signal }) => makeBasket(context, user.id, body, signal))
  serve(app, context, qmtDryRun.dryRun, async ({ params, body, user, signal }) => dryRun(context, user.id, params.id, body, signal))
  serve(app, context, qmtDryRun.confirm, async ({ params, body, user }) => confirm(db, user.id, params.id, body.hash))
  serve(app, context, qmtDryRun.exportConfig, async ({ params, query, user }) => {
    const { name, bytes } = await counted(db, user.id, 'export', () => exportConfig(context, user, params.id, query.with_key === '1'))
    return sentFile(bytes, name, 'application/zip')
  })
  serve(app, context, qmtDryRun.fillList, async ({ params, query, user }) => listFills(db, user.id, params.id, query))

  serve(app, context, qmtDryRun.questions, async ({ user }) => questionsOf(context, user.id))
  serve(app, context, qmtDryRun.settleOrder, async ({ params, body, user }) => {
    await settleOrder(context, ownAccount(user).id, params.id, params.order_id, body.filled)
    return {}
  })
  serve(app, context, qmtDryRun.settleBook, async ({ params, body, user }) => {
    await settleBook(db, ownAccount(user).id, params.id, params.code, body.volume)
    return {}
  })
  serve(app, context, qmtDryRun.useJournal, async ({ params, body, user }) => {
    await useJournal(db, ownAccount(user), params.id, body.use)
    return {}
  })

  serve(app, context, qmtClient.targets, async ({ query, holder, signal }) => pullTargets(context, keyHolder(holder), query, signal))
  serve(app, context, qmtClient.heartbeat, async ({ body, holder }) => acceptHeartbeat(context, keyHolder(holder), body))
  serve(app, context, qmtClient.fills, async ({ body, holder }) => keepFills(context, keyHolder(holder), body))
}

const listed = <Item>(items: Item[]) => ({ list_items: items, total: items.length })

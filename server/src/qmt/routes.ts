import { qmt, qmtTrade } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail, serve, signedIn } from '../http/kernel.ts'
import { needReAuth } from '../user/sessions.ts'
import type { World } from '../world.ts'
import { addAccount, changeAccount, listAccounts, removeAccount } from './accounts.ts'
import { apiKeyOf, makeApiKey } from './api-keys.ts'
import { makeBasket } from './basket.ts'
import { addConfig, changeConfig, configOptions, listConfigs, removeConfig } from './configs.ts'
import { killSwitch, setKillSwitch } from './kill-switch.ts'
import { addTradingConfig, changeTradingConfig, listTradingConfigs, removeTradingConfig, tradingConfigOf } from './trading-configs.ts'

/** What a user sets up for the terminal. */
export function routes(app: FastifyInstance, world: World): void {
  const { db } = world

  serve(app, world, qmt.apiKey, async ({ user }) => apiKeyOf(db, signedIn(user).id))
  serve(app, world, qmt.newApiKey, async ({ user }) => {
    needReAuth(signedIn(user))
    return makeApiKey(db, signedIn(user).id)
  })

  serve(app, world, qmt.accountList, async ({ user }) => listed(await listAccounts(world, signedIn(user).id)))
  serve(app, world, qmt.addAccount, async ({ body, user }) => addAccount(world, signedIn(user).id, body))
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

  serve(app, world, qmt.configList, async ({ user }) => listed(await listConfigs(db, signedIn(user).id)))
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
  serve(app, world, qmt.setKillSwitch, async ({ body, user }) => setKillSwitch(db, signedIn(user), body.on))

  serve(app, world, qmtTrade.basket, async ({ body, user, signal }) => makeBasket(world, signedIn(user).id, body, signal))
}

const listed = <Item>(items: Item[]) => ({ list_items: items, total: items.length })

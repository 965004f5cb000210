import { type FactorRef, factorScopes, kinds, quantOf, quantShared, SecurityCode, wireMarkets } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { closingOf } from '../http/closing.ts'
import { fail, packedJson, serve, serveStream, signedIn } from '../http/kernel.ts'
import { taggedJson } from '../http/tagged-json.ts'
import type { World } from '../world.ts'
import { openBacktests } from './backtests.ts'
import { bin } from './binning.ts'
import { checkRun } from './checks.ts'
import { addFactor, changeFactor, factorVersions, removeFactor } from './customized-factors.ts'
import { dataSheet } from './data-sheet.ts'
import { sourcesOfVersion } from './data-sources.ts'
import { factors } from './factor-lists.ts'
import { followRun } from './follow-run.ts'
import { runGrid } from './grid.ts'
import { listRuns, noteRun, removeRun, storedDay, storedReport } from './history.ts'
import { persist } from './persist.ts'
import { prepareLists } from './prepared-lists.ts'
import { quickBacktest } from './quick.ts'
import { runFactors } from './run-factors.ts'
import { endings, endRun } from './run-state.ts'
import { factorsOf, historyScreen, marketFigures, realtimeFactors, realtimeScreen } from './screens.ts'
import { addShare, listShares, revokeShare, sharedReport } from './shares.ts'
import { startRun } from './start-run.ts'

/** The twin endpoints of both markets, and the history that they share. */
export function routes(app: FastifyInstance, world: World): void {
  const backtests = openBacktests(app, world)
  if (world.config.prepareLists) prepareLists(app, world)
  for (const kind of kinds) {
    const market = quantOf[kind]

    serve(app, world, market.factors, async ({ params, query, user, signal }) => {
      const scope = factorScopes.find((one) => one === params.id)
      if (scope) return taggedJson(await factors(world, signedIn(user), kind, scope, signal))
      if (!SecurityCode.safeParse(params.id).success) fail(40004)
      const asked = { code: params.id, history: query.history ?? 0, keys: refsOf(query.keys) }
      return (await factorsOf(world, signedIn(user), kind, asked, signal)) ?? fail(40004)
    })

    serve(app, world, market.realtimeFactors, async ({ query, user, signal }) => {
      const asked = {
        withValues: query.with_values === '1',
        facts: query.facts === '1',
        keys: refsOf(query.keys),
        date: query.date ?? null,
      }
      return realtimeFactors(world, signedIn(user), kind, asked, signal)
    })

    serve(app, world, market.addFactor, async ({ body, user }) => addFactor(world, signedIn(user).id, kind, body))
    serve(app, world, market.changeFactor, async ({ params, body, user }) => changeFactor(world, signedIn(user).id, kind, params.id, body))
    serve(app, world, market.factorVersions, async ({ params, user }) => factorVersions(world.db, signedIn(user).id, kind, params.id))
    serve(app, world, market.removeFactor, async ({ params, query, user }) => {
      await removeFactor(world, signedIn(user).id, kind, params.id, query.force === '1')
      return {}
    })

    serve(app, world, market.market, async ({ query, signal }) => marketFigures(world, kind, query.history ?? 0, signal))

    serve(app, world, market.dataSheet, async ({ query, user, signal }) =>
      dataSheet(world, signedIn(user), kind, refsOf(query.keys), signal),
    )

    serve(app, world, market.dataSources, async ({ query }) => ({
      sources: await sourcesOfVersion(world.db, world.config.dataDir, kind, query.version),
    }))

    serve(app, world, market.realtimeScreen, async ({ body, user, signal }) => realtimeScreen(world, signedIn(user), kind, body, signal))

    serve(app, world, market.historyScreen, async ({ body, user, signal }) => historyScreen(world, signedIn(user), kind, body, signal))

    serve(app, world, market.binning, async ({ body, user, signal }) => bin(world, signedIn(user), kind, body, signal))

    serve(app, world, market.quickBacktest, async ({ body, user, signal }) => quickBacktest(world, signedIn(user), kind, body, signal))

    serveStream(app, world, market.backtest, async ({ body, user }, stream) => {
      if (!user) fail(40100)
      const { queue, news } = await backtests()
      const { db, config, processId } = world
      const run = await startRun({ db, queue, dataDir: config.dataDir, rules: config.tradingRules, ownerId: processId }, user, kind, body)
      try {
        let seq = 0
        for await (const event of followRun(db, news, run.id, stream.signal)) {
          const line = { ...event, run_id: run.id, seq: ++seq }
          if (event.type === 'error') stream.error(String(event['message']), Number(event['code']))
          else stream.send(line)
        }
      } finally {
        // The socket of whoever asked first is the run's life line; a second click only looks on.
        if (run.how === 'new') {
          const ending = closingOf(app).closing ? endings.stopping : endings.cancelled
          await persist(() => endRun(db, queue, run.id, ending))
        }
      }
    })

    serve(app, world, market.checks, async ({ params, user, signal }) => checkRun(world, signedIn(user), kind, params.id, signal))

    serve(app, world, market.backtestDetail, async ({ params, user }) => {
      if (!user) fail(40100)
      const { id, [wireMarkets[kind].detailParam]: day } = params
      if (day === 'report') {
        const { packed, head } = (await storedReport(world, user.id, kind, id)) ?? fail(40004)
        return packedJson(head, packed)
      }
      return (await storedDay(world.db, user.id, kind, id, String(day))) ?? fail(40004)
    })
  }

  serve(app, world, quantShared.gridBacktest, async ({ body, user, signal }) => runGrid(world, signedIn(user), 'cb', body, signal))

  serve(app, world, quantShared.factorRunning, async ({ params, body, user, signal }) => {
    const kind = kinds.find((one) => wireMarkets[one].segment === params.id) ?? fail(40004)
    return runFactors(world, signedIn(user), kind, body, signal)
  })

  serve(app, world, quantShared.backtestList, async ({ query, user }) => {
    if (!user) fail(40100)
    return listRuns(world, user.id, query)
  })
  serve(app, world, quantShared.noteBacktest, async ({ params, body, user }) => {
    await noteRun(world.db, signedIn(user).id, params.id, body.note)
    return {}
  })
  serve(app, world, quantShared.removeBacktest, async ({ params, user }) => {
    await removeRun(world.db, await world.queue(), signedIn(user).id, params.id)
    return {}
  })

  serve(app, world, quantShared.addShare, async ({ body, user }) => addShare(world, signedIn(user).id, body))
  serve(app, world, quantShared.shareList, async ({ user }) => {
    const list_items = await listShares(world.db, signedIn(user).id)
    return { list_items, total: list_items.length }
  })
  serve(app, world, quantShared.removeShare, async ({ params, user }) => {
    await revokeShare(world.db, signedIn(user).id, params.token)
    return {}
  })
  serve(app, world, quantShared.sharedReport, async ({ params, ip }) => {
    const { packed, head } = await sharedReport(world, params.token, ip)
    return packedJson(head, packed)
  })
}

/** Factors of one cross-section. */
const mostKeys = 60

/** `keys=a,b`, repeated, or both, each one once; a formula may hold commas and stands alone. */
function refsOf(keys: string | readonly string[] | undefined): FactorRef[] {
  const given = keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys
  const refs = [...new Set(given.flatMap((one) => (one.startsWith('formula:') ? [one] : one.split(','))).filter(Boolean))]
  return refs.length <= mostKeys ? refs : fail(40000, `一次最多查询 ${mostKeys} 个因子`)
}

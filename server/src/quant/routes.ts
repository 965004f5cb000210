import { type FactorRef, factorScopes, quantOf, quantShared, type ReportPart, reportParts, SecurityCode } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { marketIds, markets } from '@convexa/contract/enums/market'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { drainOf } from '../http/connection-drain.ts'
import { serve, serveStream, throwApiError } from '../http/serve-endpoint.ts'
import { taggedJson } from '../http/tagged-json.ts'
import { openBacktests } from './backtests.ts'
import { bin } from './binning.ts'
import { checkRun } from './checks.ts'
import { addFactor, changeFactor, factorVersions, removeFactor } from './customized-factors.ts'
import { dataSheet } from './data-sheet.ts'
import { sourcesOfVersion } from './data-sources.ts'
import { factors } from './factor-lists.ts'
import { markFavourite } from './favourites.ts'
import { followRun } from './follow-run.ts'
import { runGrid } from './grid.ts'
import { listRuns, noteRun, removeRun } from './history.ts'
import { quickBacktest } from './quick.ts'
import { missingRun, runQuestion } from './reduced-runs.ts'
import { retentionOf } from './retention-terms.ts'
import { retryWrite } from './retry-write.ts'
import { runFactors } from './run-factors.ts'
import { endings, endRun } from './run-state.ts'
import { factorsOf, historyScreen, marketFigures, realtimeFactors, realtimeScreen } from './screens.ts'
import { addShare, listShares, revokeShare, sharedReport } from './shares.ts'
import { startRun } from './start-run.ts'
import { ownDay, ownReport } from './stored-report.ts'
import { warmUpLists } from './warm-up-lists.ts'

/** The twin endpoints of both markets, and the history that they share. */
export function routes(app: FastifyInstance, context: AppContext): void {
  const backtests = openBacktests(app, context)
  if (context.config.prepareLists) warmUpLists(app, context)
  for (const kind of marketIds) {
    const market = quantOf[kind]

    serve(app, context, market.factors, async ({ params, query, user, signal }) => {
      const scope = factorScopes.find((one) => one === params.id)
      if (scope) return taggedJson(await factors(context, user, kind, scope, signal))
      if (!SecurityCode.safeParse(params.id).success) throwApiError(errorCodes.notFound)
      const request = { code: params.id, history: query.history ?? 0, keys: refsOf(query.keys) }
      return (await factorsOf(context, user, kind, request, signal)) ?? throwApiError(errorCodes.notFound)
    })

    serve(app, context, market.realtimeFactors, async ({ query, user, signal }) => {
      const request = {
        withValues: query.with_values === '1',
        facts: query.facts === '1',
        keys: refsOf(query.keys),
        date: query.date ?? null,
      }
      return realtimeFactors(context, user, kind, request, signal)
    })

    serve(app, context, market.addFactor, async ({ body, user }) => addFactor(context, user.id, kind, body))
    serve(app, context, market.changeFactor, async ({ params, body, user }) => changeFactor(context, user.id, kind, params.id, body))
    serve(app, context, market.factorVersions, async ({ params, user }) => factorVersions(context.db, user.id, kind, params.id))
    serve(app, context, market.removeFactor, async ({ params, query, user }) => {
      await removeFactor(context, user.id, kind, params.id, query.force === '1')
      return {}
    })

    serve(app, context, market.market, async ({ query, signal }) => marketFigures(context, kind, query.history ?? 0, signal))

    serve(app, context, market.dataSheet, async ({ query, user, signal }) => dataSheet(context, user, kind, refsOf(query.keys), signal))

    serve(app, context, market.dataSources, async ({ query }) => ({
      sources: await sourcesOfVersion(context.db, context.config.dataDir, kind, query.version),
    }))

    serve(app, context, market.realtimeScreen, async ({ body, user, signal }) => realtimeScreen(context, user, kind, body, signal))

    serve(app, context, market.historyScreen, async ({ body, user, signal }) => historyScreen(context, user, kind, body, signal))

    serve(app, context, market.binning, async ({ body, user, signal }) => bin(context, user, kind, body, signal))

    serve(app, context, market.quickBacktest, async ({ body, user, signal }) => quickBacktest(context, user, kind, body, signal))

    serveStream(app, context, market.backtest, async ({ body, user }, stream) => {
      const { queue, news, reaper } = await backtests()
      const { db, config, processId } = context
      const deps = { db, queue, dataDir: config.dataDir, rules: config.tradingRules, limits: config.queue, ownerId: processId }
      const run = await startRun(deps, user, kind, body)
      reaper.wake()
      try {
        let seq = 0
        for await (const event of followRun(db, news, run.id, stream.signal)) {
          const line = { ...event, run_id: run.id, seq: ++seq }
          if (event.type === 'error') stream.error(String(event['message']), Number(event['code']))
          else stream.send(line)
        }
      } finally {
        // The connection of the first request keeps the run wanted; a second click only follows it.
        if (run.how === 'new') {
          const ending = drainOf(app).closing ? endings.stopping : endings.cancelled
          await retryWrite(() => endRun(db, queue, run.id, ending))
        }
      }
    })

    serve(app, context, market.checks, async ({ params, user, signal }) => checkRun(context, user, kind, params.id, signal))

    serve(app, context, market.backtestDetail, async ({ params, query, user, signal, holds }) => {
      const { id, [markets[kind].detailParam]: day } = params
      const reader = { asker: user, signal, holds }
      const answer =
        day === 'report'
          ? await ownReport(context, user.id, kind, id, partsOf(query.parts), reader)
          : await ownDay(context, user.id, kind, id, String(day), reader)
      return answer ?? missingRun(context.db, user.id, kind, id)
    })
  }

  serve(app, context, quantShared.gridBacktest, async ({ body, user, signal }) => runGrid(context, user, 'cb', body, signal))

  serve(app, context, quantShared.factorRunning, async ({ params, body, user, signal }) => {
    const kind = marketIds.find((one) => markets[one].segment === params.id) ?? throwApiError(errorCodes.notFound)
    return runFactors(context, user, kind, body, signal)
  })

  serve(app, context, quantShared.backtestList, async ({ query, user }) => {
    return listRuns(context, user.id, query)
  })
  serve(app, context, quantShared.noteBacktest, async ({ params, body, user }) => {
    await noteRun(context.db, user.id, params.id, body.note)
    return {}
  })
  serve(app, context, quantShared.favouriteBacktest, async ({ params, body, user }) => {
    await markFavourite(context.db, user.id, params.id, body.on)
    return {}
  })
  serve(app, context, quantShared.backtestQuestion, async ({ params, user }) => runQuestion(context.db, user.id, params.id))
  serve(app, context, quantShared.retention, async ({ user }) => retentionOf(context, user.id))
  serve(app, context, quantShared.removeBacktest, async ({ params, user }) => {
    await removeRun(context.db, await context.queue(), user.id, params.id)
    return {}
  })

  serve(app, context, quantShared.addShare, async ({ body, user }) => addShare(context, user.id, body))
  serve(app, context, quantShared.shareList, async ({ user }) => {
    const list_items = await listShares(context.db, user.id)
    return { list_items, total: list_items.length }
  })
  serve(app, context, quantShared.removeShare, async ({ params, user }) => {
    await revokeShare(context.db, user.id, params.token)
    return {}
  })
  serve(app, context, quantShared.sharedReport, async ({ params, ip, signal }) => sharedReport(context, params.token, ip, signal))
}

/** `parts=core,trades`, each once, in the order of a report. @throws ApiError 40000 there is no such part */
function partsOf(given: string | undefined): ReportPart[] | null {
  if (given === undefined) return null
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !reportParts.some((part) => part === name))
  if (unknown !== undefined) throwApiError(errorCodes.invalidRequest, `报告没有部分“${unknown}”，可选：${reportParts.join('、')}`)
  return reportParts.filter((part) => names.includes(part))
}

/** Factors of one cross-section. */
const mostKeys = 60

/** `keys=a,b`, repeated, or both, each one once; a formula may hold commas and stands alone. */
function refsOf(keys: string | readonly string[] | undefined): FactorRef[] {
  const given = keys === undefined ? [] : typeof keys === 'string' ? [keys] : keys
  const refs = [...new Set(given.flatMap((one) => (one.startsWith('formula:') ? [one] : one.split(','))).filter(Boolean))]
  return refs.length <= mostKeys ? refs : throwApiError(errorCodes.invalidRequest, `一次最多查询 ${mostKeys} 个因子`)
}

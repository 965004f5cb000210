import { quantOf } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { marketIds } from '@convexa/contract/enums/market'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../context/app-context.ts'
import { serve, throwApiError } from '../http/serve-endpoint.ts'
import { refreshGlance } from './glances.ts'
import { addGroup, changeGroup, groupDetail, listGroups, removeGroup } from './groups.ts'
import {
  addStrategy,
  changeStrategy,
  describeStrategy,
  listStrategies,
  removeStrategy,
  strategyDetail,
  strategyVersions,
} from './strategies.ts'
import { trackingOf } from './tracking.ts'

/** What a user saves: strategies and groups of both markets. */
export function routes(app: FastifyInstance, context: AppContext): void {
  const { db } = context
  for (const kind of marketIds) {
    const market = quantOf[kind]

    serve(app, context, market.strategyList, async ({ user }) => listed(await listStrategies(context, user.id, kind)))
    serve(app, context, market.strategyDetail, async ({ params, user }) => {
      return (await strategyDetail(context, user.id, kind, params.id)) ?? throwApiError(errorCodes.notFound)
    })
    serve(app, context, market.addStrategy, async ({ body, user }) => addStrategy(context, user.id, kind, body))
    serve(app, context, market.changeStrategy, async ({ params, body, user }) => {
      return changeStrategy(context, user.id, kind, params.id, body)
    })
    serve(app, context, market.glance, async ({ params, body, user, signal }) => {
      return refreshGlance(context, user.id, kind, params.id, body.settings, signal)
    })
    serve(app, context, market.strategyVersions, async ({ params, user }) => {
      return listed((await strategyVersions(db, user.id, kind, params.id)) ?? throwApiError(errorCodes.notFound))
    })
    serve(app, context, market.tracking, async ({ params, user }) => {
      return (await trackingOf(context, user.id, kind, params.id)) ?? throwApiError(errorCodes.notFound)
    })
    serve(app, context, market.removeStrategy, async ({ params, user }) => {
      await removeStrategy(db, user.id, kind, params.id)
      return {}
    })
    serve(app, context, market.renameStrategy, async ({ params, body, user }) => {
      await describeStrategy(db, user.id, kind, params.id, body)
      return {}
    })
    serve(app, context, market.remarkStrategy, async ({ params, body, user }) => {
      await describeStrategy(db, user.id, kind, params.id, body)
      return {}
    })

    serve(app, context, market.groupList, async ({ user }) => listed(await listGroups(db, user.id, kind)))
    serve(app, context, market.groupDetail, async ({ params, user }) => {
      return (await groupDetail(context, user.id, kind, params.id)) ?? throwApiError(errorCodes.notFound)
    })
    serve(app, context, market.addGroup, async ({ body, user }) => addGroup(db, user.id, kind, body))
    serve(app, context, market.changeGroup, async ({ params, body, user }) => changeGroup(db, user.id, kind, params.id, body))
    serve(app, context, market.removeGroup, async ({ params, user }) => {
      await removeGroup(db, user.id, kind, params.id)
      return {}
    })
  }
}

const listed = <Item>(items: Item[]) => ({ list_items: items, total: items.length })

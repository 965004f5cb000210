import { kinds, quantOf } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { fail, serve, signedIn } from '../http/kernel.ts'
import type { World } from '../world.ts'
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
export function routes(app: FastifyInstance, world: World): void {
  const { db } = world
  for (const kind of kinds) {
    const market = quantOf[kind]

    serve(app, world, market.strategyList, async ({ user }) => listed(await listStrategies(world, signedIn(user).id, kind)))
    serve(app, world, market.strategyDetail, async ({ params, user }) => {
      return (await strategyDetail(world, signedIn(user).id, kind, params.id)) ?? fail(40004)
    })
    serve(app, world, market.addStrategy, async ({ body, user }) => addStrategy(world, signedIn(user).id, kind, body))
    serve(app, world, market.changeStrategy, async ({ params, body, user }) => {
      return changeStrategy(world, signedIn(user).id, kind, params.id, body)
    })
    serve(app, world, market.glance, async ({ params, body, user, signal }) => {
      return refreshGlance(world, signedIn(user).id, kind, params.id, body.settings, signal)
    })
    serve(app, world, market.strategyVersions, async ({ params, user }) => {
      return listed((await strategyVersions(db, signedIn(user).id, kind, params.id)) ?? fail(40004))
    })
    serve(app, world, market.tracking, async ({ params, user }) => {
      return (await trackingOf(world, signedIn(user).id, kind, params.id)) ?? fail(40004)
    })
    serve(app, world, market.removeStrategy, async ({ params, user }) => {
      await removeStrategy(db, signedIn(user).id, kind, params.id)
      return {}
    })
    serve(app, world, market.renameStrategy, async ({ params, body, user }) => {
      await describeStrategy(db, signedIn(user).id, kind, params.id, body)
      return {}
    })
    serve(app, world, market.remarkStrategy, async ({ params, body, user }) => {
      await describeStrategy(db, signedIn(user).id, kind, params.id, body)
      return {}
    })

    serve(app, world, market.groupList, async ({ user }) => listed(await listGroups(db, signedIn(user).id, kind)))
    serve(app, world, market.groupDetail, async ({ params, user }) => {
      return (await groupDetail(world, signedIn(user).id, kind, params.id)) ?? fail(40004)
    })
    serve(app, world, market.addGroup, async ({ body, user }) => addGroup(db, signedIn(user).id, kind, body))
    serve(app, world, market.changeGroup, async ({ params, body, user }) => changeGroup(db, signedIn(user).id, kind, params.id, body))
    serve(app, world, market.removeGroup, async ({ params, user }) => {
      await removeGroup(db, signedIn(user).id, kind, params.id)
      return {}
    })
  }
}

const listed = <Item>(items: Item[]) => ({ list_items: items, total: items.length })

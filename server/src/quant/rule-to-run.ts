import type { BacktestAsked, BacktestBody, MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { Kysely } from 'kysely'
import { throwApiError } from '../base/api-error.ts'
import type { RunGroup, RunRule } from '../context/compute.ts'
import type { Database } from '../db/tables.ts'
import { groupToRun } from './group-run.ts'

/** What the command line may ask for beside what browsers may: a group that was never saved. */
export type RunAsked = BacktestAsked | (Omit<BacktestBody, 'parameters' | 'strategy_id'> & { readonly group: RunGroup })

/** What is asked for, and what it is called where it was saved. */
export interface NamedRule {
  readonly rule: RunRule
  readonly name: string | null
  readonly strategyId: string | null
  readonly groupId: string | null
}

/** @throws ApiError 40004 the strategy or the group is not the asker's own of that market */
export async function ruleToRun(db: Kysely<Database>, userId: string, kind: MarketId, request: RunAsked): Promise<NamedRule> {
  if ('group' in request) return { rule: { group: request.group }, name: null, strategyId: null, groupId: null }
  if ('group_id' in request) {
    const { name, group } = (await groupToRun(db, userId, kind, request.group_id)) ?? throwApiError(errorCodes.notFound)
    return { rule: { group }, name, strategyId: null, groupId: request.group_id }
  }
  const rule = { parameters: request.parameters }
  if (request.strategy_id === undefined) return { rule, name: null, strategyId: null, groupId: null }
  return { rule, name: await strategyName(db, userId, kind, request.strategy_id), strategyId: request.strategy_id, groupId: null }
}

async function strategyName(db: Kysely<Database>, userId: string, kind: MarketId, id: string): Promise<string> {
  const own = await db
    .selectFrom('strategy')
    .select('name')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return own?.name ?? throwApiError(errorCodes.notFound)
}

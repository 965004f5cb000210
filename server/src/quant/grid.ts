import { BacktestBody, type GridBody, type GridResult, type MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { changed, cornersOf, type GridRequest } from '@convexa/engine'
import { v7 as uuid } from 'uuid'
import { ApiError } from '../base/api-error.ts'
import type { AppContext } from '../context/app-context.ts'
import { refusalOf } from '../usage/benefits.ts'
import { limits, planOf } from '../usage/limits.ts'
import { counted } from '../usage/quota.ts'
import { admit, mostOf, tradingDays } from './admission.ts'
import { loadedMarket } from './loaded-market.ts'
import { checkedRequest, forCompute, ownFactors } from './own-factors.ts'

/** A grid answers with what it has before its client would leave (reliability.md D4). */
const budgetMs = 50_000
const deadlineMs = 54_000
const mostCells = limits.vip.gridCells

/**
 * The request with up to three of its numbers varied; each cell counts as a trial of its family.
 * @throws ApiError 21001 more cells than the plan has, 21002 quota, 21007 range, 21008 no data, 22xxx, 23001, 40000
 */
export async function runGrid(
  { db, config, compute }: Pick<AppContext, 'db' | 'config' | 'compute'>,
  asker: { readonly id: string },
  kind: MarketId,
  body: GridBody,
  signal: AbortSignal,
): Promise<GridResult> {
  const { parameters, settings, axes } = body
  const plan = await planOf(db, asker.id)
  const cells = axes.reduce((product, { values }) => product * values.length, 1)
  if (cells > mostCells) throw new ApiError(errorCodes.invalidRequest, `请求参数有误：组合数不能超过 ${mostCells}，当前 ${cells}`)
  const refused = refusalOf(plan, 'grid_cells', cells, errorCodes.invalidRequest)
  if (refused) throw refused
  const corners = checkedCorners({ parameters, settings }, body)
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = await ownFactors(db, asker.id, kind)
  const checked = corners.map((corner) => checkedRequest(market, all, corner.parameters, corner.settings))
  const own = [...new Set(checked.flatMap((one) => one.own))]
  admit(market, plan, mostOf(checked), tradingDays(settings.start_date, settings.end_date))
  const result = await counted(db, asker.id, 'grid', () =>
    compute.call('grid', market.ref, { ...body, budgetMs, ...forCompute(own) }, { deadlineMs, asker, signal }),
  )
  await db
    .insertInto('grid_trial')
    .values({ id: uuid(), user_id: asker.id, kind, factors: JSON.stringify(parameters.rank_factors), cells: result.done })
    .execute()
  return result
}

/** Each number of each axis, put into the request, must be one that the contract takes there. */
function checkedCorners(request: GridRequest, { axes }: GridBody): GridRequest[] {
  const paths = new Set<string>()
  for (const { path, label, values } of axes) {
    if (paths.has(path)) throw new ApiError(errorCodes.invalidRequest, `请求参数有误：坐标轴「${label}」重复`)
    paths.add(path)
    for (const value of values) {
      const made = changed(request, path, value)
      if (!made) throw new ApiError(errorCodes.invalidRequest, `请求参数有误：坐标轴「${label}」不是请求里的数字`)
      if (!BacktestBody.safeParse(made).success)
        throw new ApiError(errorCodes.invalidRequest, `请求参数有误：坐标轴「${label}」的取值 ${value} 超出范围`)
    }
  }
  return cornersOf(request, axes)
}

import type { FactorRunningBody, FactorRunningResult, MarketId } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import { compileRef } from '@convexa/engine'
import { rejectionOf } from '../compute/rejection.ts'
import type { AppContext } from '../context/app-context.ts'
import { refusalOf } from '../usage/benefits.ts'
import { planOf } from '../usage/limits.ts'
import { counted } from '../usage/quota.ts'
import { valuesRead } from './admission.ts'
import { loadedMarket } from './loaded-market.ts'
import { forCompute, namesWith, ownFactors } from './own-factors.ts'

const deadlineMs = 54_000

type Result = FactorRunningResult['results'][number]

/**
 * Factors looked at closely: each is answered in its place, with its mistake where it has one. What is too dear is refused before anything runs,
 * those before it are computed.
 * @throws ApiError 21002 quota, 21008 no data, 23020, 23021, 50301
 */
export async function runFactors(
  { db, config, compute }: Pick<AppContext, 'db' | 'config' | 'compute'>,
  asker: { readonly id: string },
  kind: MarketId,
  { factors }: FactorRunningBody,
  signal: AbortSignal,
): Promise<FactorRunningResult> {
  const market = await loadedMarket(db, config.dataDir, kind)
  const all = await ownFactors(db, asker.id, kind)
  const names = namesWith(market, all)
  const plan = await planOf(db, asker.id)
  let admittedValues = 0
  const used = new Set<string>()
  const refused = factors.map(({ factor, codes, span = 1 }): Result | null => {
    const compiled = compileRef(factor, names)
    if (!compiled.ok) return { formula: factor, ...rejectionOf(compiled.problem) }
    const values = valuesRead(market, compiled.expression, codes ? span : 1)
    const tooDear = refusalOf(plan, 'formula_cost', admittedValues + values, errorCodes.formulaTooCostly)
    if (tooDear) return { formula: factor, ok: false, code: tooDear.code, message: tooDear.message }
    admittedValues += values
    for (const key of compiled.expression.own) used.add(key)
    return null
  })
  const admitted = factors.filter((_, i) => refused[i] === null)
  if (admitted.length === 0) return { results: refused.flatMap((one) => one ?? []) }
  const input = {
    factors: admitted.map(({ factor, codes, trade_date: date, span }) => ({ factor, codes, date, span })),
    ...forCompute(all.filter(({ key }) => used.has(key))),
  }
  const results = await counted(db, asker.id, 'factor_running', () =>
    compute.call('running', market.ref, input, { deadlineMs, asker, signal }),
  )
  let next = 0
  return { results: refused.map((one) => one ?? results[next++]!) }
}

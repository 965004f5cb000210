import { expect, it } from 'vitest'
import { madeReport } from '../../../test/made-report.ts'
import { inNamesOfNow } from './report-names.ts'

it('a stored report of before names of factors changed tells its rule in those of now, and says so', async () => {
  const made = madeReport({ days: 30 })
  const { parameters } = made
  if (!parameters) throw new Error('a report of one rule')
  const rank_factors = parameters.rank_factors.map((row) => ({ ...row, factor_key: 'volatility' }))
  const of = (engine_version: string) => inNamesOfNow({ ...made, kind: 'cb', engine_version, parameters: { ...parameters, rank_factors } })
  const old = await of('0.3.2')
  expect(old.parameters?.rank_factors[0]?.factor_key).toBe('volatility_60')
  expect(old.warnings.at(-1)).toMatch(/60 日/)
  for (const version of ['0.4.0', '0.12.0', '1.0.0']) expect((await of(version)).parameters?.rank_factors[0]?.factor_key).toBe('volatility')
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type PlanInput, planOf } from './plan.ts'

// The client's Python reads the same cases.
const file = new URL('../../../qmt-client/test/plan-cases.json', import.meta.url)
const cases = JSON.parse(readFileSync(file, 'utf8')) as (PlanInput & { name: string; plan: [string, number, number][] })[]

test.each(cases.map((one) => [one.name, one] as const))('%s', (_name, { plan, ...input }) => {
  expect(planOf(input).map(({ code, held, target }) => [code, held, target])).toEqual(plan)
})

import { expect, test } from 'vitest'
import { authorize } from './authorize.ts'
import { BacktestBody } from './backtest.ts'
import { RealtimeFactorsQuery } from './factor.ts'
import { FactorRef, lines, text, whole } from './scalars.ts'
import { RealtimeScreenBody } from './screen.ts'

const halfPair = '\ud800'

test.each([
  ['\u0000', false],
  ['a\u0007b', false],
  ['a\u0085b', false],
  ['a\nb', false],
  [halfPair, false],
  ['策略 😀 "a"', true],
])('a line of text %j is accepted: %s', (given, accepted) => {
  expect(text(40).safeParse(given).success).toBe(accepted)
})

test.each([
  ['close /\n\tma(close, 20)\r\n', true],
  ['close\u0000', false],
  ['close\u001b[2J', false],
  [halfPair, false],
])('a text of many lines %j is accepted: %s', (given, accepted) => {
  expect(lines(40).safeParse(given).success).toBe(accepted)
  expect(FactorRef.safeParse(`formula: ${given}`).success).toBe(accepted)
})

test.each([
  ['7', 7],
  [7, 7],
  ['007', 7],
  ['', null],
  [' 7', null],
  ['0x7', null],
  ['1e1', null],
  ['7.0', null],
  ['-1', null],
  [true, null],
  [['7'], null],
  ['101', null],
])('a whole number of an address is its digits: %j is %s', (given, read) => {
  expect(whole(0, 100).safeParse(given).data ?? null).toBe(read)
})

test('every string of a request is one of them', () => {
  const places = (schema: { safeParse(value: unknown): { error?: { issues: { path: PropertyKey[] }[] } | undefined } }, value: unknown) =>
    schema.safeParse(value).error?.issues.map(({ path }) => path.join('.')) ?? []
  for (const wrong of ['\u0000', halfPair]) {
    const parameters = {
      universe: { include_codes: [wrong], exclude_codes: [wrong], index_codes: [wrong] },
      exclude: { ratings_below: wrong, yy_ratings_above: wrong, org_types: [wrong], areas: [wrong], industries: [wrong] },
      filter_factors: [{ factor_key: wrong, operation: 'eq', value: wrong, enable: true }],
      rank_factors: [{ factor_key: wrong, neutralization: wrong }],
      hold_method: { hold_weight_factor: wrong },
      timing: [{ factor_key: wrong }],
    }
    expect(places(BacktestBody, { parameters, note: wrong, client_run_id: wrong, strategy_id: wrong })).toEqual(
      expect.arrayContaining([
        'parameters.universe.include_codes.0',
        'parameters.universe.exclude_codes.0',
        'parameters.universe.index_codes.0',
        'parameters.exclude.ratings_below',
        'parameters.exclude.yy_ratings_above',
        'parameters.exclude.org_types.0',
        'parameters.exclude.areas.0',
        'parameters.exclude.industries.0',
        'parameters.filter_factors.0.factor_key',
        'parameters.filter_factors.0.value',
        'parameters.rank_factors.0.factor_key',
        'parameters.rank_factors.0.neutralization',
        'parameters.hold_method.hold_weight_factor',
        'parameters.timing.0.factor_key',
        'note',
        'client_run_id',
        'strategy_id',
      ]),
    )
    expect(places(RealtimeScreenBody, { previous: [wrong] })).toContain('previous.0')
    expect(places(RealtimeFactorsQuery, { keys: [wrong] })).toContain('keys.0')
    expect(places(authorize.byPassword.body!, { account: wrong, password: 'x' })).toEqual(['account'])
    expect(places(authorize.refresh.body!, { refresh_token: wrong, access_token: wrong })).toEqual(['refresh_token', 'access_token'])
  }
  expect(places(authorize.byPassword.body!, { account: 'a', password: halfPair })).toEqual(['password'])
})

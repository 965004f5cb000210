import { describe, expect, it } from 'vitest'
import { mistakesOf } from '../../../ui/form/form-state.ts'
import { type AccountValues, accountRules, changedAccount, newAccount, valuesOf } from './account.ts'

const right: AccountValues = { ...valuesOf(null), alias: '主账户', broker: '示例证券', account_no: '70010001' }
const wrong = (values: AccountValues, isNew = true) => mistakesOf(values, accountRules(isNew)).map(([field]) => field)

describe('an account', () => {
  it.each<[name: string, over: Partial<AccountValues>, wrong: string[]]>([
    ['that is right', {}, []],
    ['without a number', { account_no: '' }, ['account_no']],
    ['whose number has a space', { account_no: '7001 0001' }, ['account_no']],
    ['whose alias is too long', { alias: '长'.repeat(51) }, ['alias']],
    ['without money', { initial_capital: null }, ['initial_capital']],
    ['that was reported on no day', { report_status: 1, reported_at: '' }, ['reported_at']],
    ['that was reported on a day of no calendar', { report_status: 1, reported_at: '2026-02-30' }, ['reported_at']],
    ['that was not reported needs no day', { report_status: 0, reported_at: 'x' }, []],
  ])('%s', (_, over, fields) => expect(wrong({ ...right, ...over })).toEqual(fields))

  it('keeps its number where none is typed', () => {
    expect(wrong({ ...right, account_no: '' }, false)).toEqual([])
    expect(changedAccount({ ...right, account_no: '' })).not.toHaveProperty('account_no')
    expect(changedAccount(right)).toHaveProperty('account_no', '70010001')
  })

  it('forgets the day of a report that is none any more', () => {
    expect(newAccount({ ...right, reported_at: '2026-10-08' }).reported_at).toBeNull()
    expect(newAccount({ ...right, report_status: 1, reported_at: '2026-10-08' }).reported_at).toBe('2026-10-08')
  })
})

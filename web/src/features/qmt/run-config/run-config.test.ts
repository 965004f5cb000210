import type { Account, ConfigListItem, ConfigOptions } from '@convexa/contract/qmt'
import { describe, expect, it } from 'vitest'
import { checklistOf } from './checklist.ts'
import { type Around, statusOf } from './config-status.ts'
import { bodyOf, type ConfigValues, suggestedName, valuesOf, wrongStep } from './run-config.ts'
import { stepWords } from './step-text.ts'

const account: Account = {
  ...{ id: 'a', alias: '主账户', broker: '示例证券', account_masked: '****1234', account_type: 'STOCK', client_type: 'mini' },
  ...{ initial_capital: 10, report_status: 1, reported_at: '2026-10-08', is_enabled: true, remark: '', last_heartbeat: null },
}
const config: ConfigListItem = {
  ...{ id: 'c', name: '双低实盘', kind: 'cb', account_id: 'a', source: { type: 'group', id: 'g', name: '稳健组合' }, capital: 10 },
  ...{ hold_weight_type: 1, trading_config_id: 't', enabled: true, diff_count: null, confirmed_at: null, exported_at: null },
  ...{ last_heartbeat: null, questions: 0, client_note: '', updated_at: '2026-11-20T14:00:00+08:00' },
}
const options: ConfigOptions = {
  accounts: [{ value: 'a', label: '主账户 ****1234' }],
  sources: [
    { value: 's', label: '双低10只', type: 'strategy', kind: 'cb' },
    { value: 'g', label: '稳健组合', type: 'group', kind: 'cb' },
  ],
  trading_configs: [{ value: 't', label: '尾盘模板' }],
  weight_types: [{ value: 1, label: '等权' }],
  client_versions: [],
}
const tradingConfigs = [{ id: 't', name: '尾盘模板', start_time: '14:50:00', end_time: '14:56:30' }]
const right: ConfigValues = valuesOf(config, options)

describe('a config', () => {
  it('begins with the only account and the only trading config', () => {
    expect(valuesOf(null, options)).toMatchObject({ account_id: 'a', trading_config_id: 't', source: '', capital: 10 })
    const [first] = options.sources
    expect(valuesOf(null, options, `${first?.type}:${first?.value}`)).toMatchObject({ kind: first?.kind, name: `${first?.label} 10万` })
    expect(valuesOf(null, options, 'strategy:of-somebody-else')).toEqual(valuesOf(null, options))
    expect(valuesOf(null, { ...options, accounts: [...options.accounts, { value: 'b', label: '乙' }] }).account_id).toBe('')
  })

  it('is sent as it came', () => {
    const {
      id: _,
      diff_count: _diff,
      confirmed_at: _confirmed,
      exported_at: _exported,
      last_heartbeat: _beat,
      questions: _questions,
      client_note: _note,
      updated_at: _at,
      ...told
    } = config
    expect(bodyOf(right)).toEqual({ ...told, source: { type: 'group', id: 'g' } })
  })

  it('whose source was deleted asks for another', () => {
    const gone = valuesOf({ ...config, source: { type: 'strategy', id: 'x', name: '（已删除）' } }, options)
    expect(gone.source).toBe('')
    expect(wrongStep(gone)).toBe('source')
  })

  it.each<[name: string, over: Partial<ConfigValues>, step: string | null]>([
    ['right', {}, null],
    ['without an account', { account_id: '' }, 'account'],
    ['without money', { capital: null }, 'source'],
    ['with money that cannot be read', { capital: Number.NaN }, 'source'],
    ['with too much of it', { capital: 100_001 }, 'source'],
    ['without a name', { name: ' ' }, 'source'],
    ['without a trading config', { trading_config_id: '' }, 'trading'],
  ])('%s: the first wrong step', (_, over, step) => expect(wrongStep({ ...right, ...over })).toBe(step))

  it('is called after what it is made of', () => {
    expect(suggestedName('双低10只', 12.5)).toBe('双低10只 12.5万')
    expect(suggestedName('双低10只', Number.NaN)).toBe('双低10只')
    expect(suggestedName('', 10)).toBe('')
  })

  it('says under each step what was chosen', () => {
    expect(stepWords(right, { options, accounts: [account], tradingConfigs })).toEqual({
      account: '主账户 ****1234',
      source: '稳健组合 · 10 万元 · 等权',
      trading: '尾盘模板 14:50–14:56',
    })
  })
})

describe('the status', () => {
  const confirmed = { diff_count: 4, confirmed_at: '2026-11-20T14:35:00+08:00' }
  const heard = { last_heartbeat: '2026-11-20T14:36:00+08:00' }
  const [live, rehearsed] = [{ dry_run: false }, { dry_run: true }]
  it.each<[over: Partial<ConfigListItem>, account: Partial<Account>, words: string, around?: Partial<Around>]>([
    [{}, {}, '还没有演练'],
    [confirmed, {}, '已急停', { stopped: true }],
    [{ diff_count: 4 }, {}, '已急停', { stopped: true }],
    [{ ...confirmed, enabled: false }, {}, '已停用', { stopped: true }],
    [confirmed, { report_status: 0 }, '账户未报告', { trading: live }],
    [confirmed, { report_status: 0 }, '已确认 · 差异 4', { trading: rehearsed }],
    [confirmed, {}, '已确认 · 差异 4', { trading: live }],
    [{ ...confirmed, ...heard }, {}, '要重新导出'],
    [{ ...confirmed, ...heard, exported_at: '2026-11-19T15:00:00+08:00' }, {}, '已确认 · 差异 4'],
    [{ diff_count: 4 }, {}, '未确认 · 差异 4'],
    [{ diff_count: 4, confirmed_at: '2026-11-20T14:35:00+08:00' }, {}, '已确认 · 差异 4'],
    [{ enabled: false, diff_count: 4 }, {}, '已停用'],
    [{ diff_count: 4 }, { is_enabled: false }, '账户已停用'],
    [{ enabled: false, source: { type: 'strategy', id: 'x', name: '（已删除）' } }, {}, '来源已删除'],
  ])('of %j, %j is %s', (over, of, words, around = {}) =>
    expect(
      statusOf({ ...config, ...over }, { ...{ account: { ...account, ...of }, trading: undefined, stopped: false }, ...around }).words,
    ).toBe(words),
  )
})

describe('the checklist', () => {
  const done = (accounts: Account[], trading: number, configs: ConfigListItem[]) =>
    checklistOf({ accounts, tradingConfigs: trading, configs })
      .filter((task) => task.done)
      .map(({ key }) => key)

  it('is ticked by what is there', () => {
    expect(done([], 0, [])).toEqual([])
    expect(done([{ ...account, report_status: 0 }], 0, [])).toEqual(['qmt', 'account'])
    expect(done([account], 1, [config])).toEqual(['qmt', 'report', 'account', 'trading', 'config'])
    expect(done([account], 1, [{ ...config, confirmed_at: '2026-11-20T14:35:00+08:00' }])).toHaveLength(6)
  })

  it('leads to the dry run of the config that nobody has looked at', () => {
    const looked = { ...config, id: 'd', confirmed_at: '2026-11-20T14:35:00+08:00' }
    expect(checklistOf({ accounts: [account], tradingConfigs: 1, configs: [looked, config] }).at(-1)?.to).toBe(
      '/qmt/config?id=c&step=dry-run',
    )
  })
})

import type { ConfigListItem } from '@convexa/contract/qmt'
import { describe, expect, it } from 'vitest'
import { type OwnStrategy, todosOf } from './todos.ts'

const strategy = (name: string, given: Partial<NonNullable<OwnStrategy['glance']>> | null): OwnStrategy =>
  ({ kind: 'cb', id: name, strategy_name: name, glance: given && { stale: false, call_risk: [], ...given } }) as OwnStrategy
const risk = (count: number | null, last: string | null = null) => ({
  code: '9',
  name: '演示转债370',
  count,
  threshold: 15,
  last_trade_date: last,
})
const told = (...strategies: OwnStrategy[]) => todosOf({ strategies, user: null }).map(({ title, text }) => `${title}：${text}`)

describe('what waits', () => {
  it.each([
    ['a bond that counts', [risk(14), risk(3)], '「双低」有 1 只接近强赎触发：演示转债370 计数 14/15，再有 1 日满足即触发'],
    ['a bond whose count is full', [risk(15)], '「双低」有 1 只已满足强赎条件：演示转债370 计数 15/15，公司尚未公告'],
    ['a bond that is called', [risk(15, '2026-12-03')], '「双低」有 1 只已公告强赎：演示转债370 已公告强赎，最后交易日 2026-12-03'],
    [
      'bonds of which each is told what is true of it',
      [risk(15, '2026-12-03'), risk(17), risk(16), risk(12), risk(3)],
      '「双低」有 1 只已公告强赎、2 只已满足强赎条件、1 只接近强赎触发：演示转债370 已公告强赎，最后交易日 2026-12-03',
    ],
  ])('%s', (_, call_risk, words) => expect(told(strategy('双低', { call_risk }))).toEqual([words]))

  it('is a position that has not traded for long', () => {
    const silent = [{ code: '600002.SH', name: '测试股', since: '2024-04-10', weight: 1 / 3 }]
    expect(told(strategy('小盘', { silent }))).toEqual([
      '「小盘」有 1 只持仓长期没有成交：测试股（600002.SH）自 2024-04-10 之后没有成交，占权益 33.33%',
    ])
  })

  it('is nothing where all is quiet', () => expect(told(strategy('双低', { call_risk: [risk(4)] }))).toEqual([]))

  it('are alerts of automatic trading that were not read, three of them and how many more', () => {
    const alert = (id: number, key: 'client_halted' | 'order_unsure', read = false) => ({
      ...{
        id,
        key,
        title: `自动交易已停 ${id}`,
        text: '「实盘」：自动交易已急停。',
        url: '/qmt/config',
        at: '2026-11-20T14:50:00+08:00',
        read,
      },
    })
    const alerts = [alert(9, 'order_unsure'), ...[8, 7, 6, 5, 4].map((id) => alert(id, 'client_halted')), alert(3, 'client_halted', true)]
    expect(todosOf({ strategies: [], alerts, user: null }).map(({ title }) => title)).toEqual([
      '自动交易已停 8',
      '自动交易已停 7',
      '自动交易已停 6',
      '还有 2 条自动交易提醒未读',
    ])
  })

  it('are glances that are old or missing', () => {
    expect(told(strategy('甲', null))).toEqual(['「甲」的概览待刷新：数据或规则比概览新，或还没有计算过'])
    expect(told(strategy('甲', null), strategy('乙', { stale: true }), strategy('丙', {}))[0]).toMatch(/^2 个策略的概览待刷新/)
  })

  const config = {
    id: 'c',
    name: '实盘',
    enabled: true,
    diff_count: 2,
    confirmed_at: null,
    exported_at: '2026-11-17T14:50:00+08:00',
    last_heartbeat: null,
  }
  it.each([
    ['never rehearsed', { diff_count: null }, ['「实盘」运行配置还没有演练']],
    ['not confirmed', {}, ['「实盘」有 2 处差异未确认']],
    ['not taken for three days', { diff_count: 0 }, ['「实盘」运行配置 3 个交易日未导出']],
    ['pulled by its client', { diff_count: 0, last_heartbeat: '2026-11-19T09:15:00+08:00' }, []],
    [
      'left by its client',
      { diff_count: 0, exported_at: '2026-11-02T10:00:00+08:00', last_heartbeat: '2026-11-16T09:15:00+08:00' },
      ['「实盘」的客户端 4 个交易日没有心跳'],
    ],
    [
      'changed since its client was at work',
      { diff_count: 0, exported_at: null, last_heartbeat: '2026-11-20T09:15:00+08:00' },
      ['「实盘」要重新导出'],
    ],
    ['taken the day before yesterday', { diff_count: 0, exported_at: '2026-11-18T14:50:00+08:00' }, []],
    ['confirmed, never taken', { confirmed_at: '2026-11-20T14:00:00+08:00', exported_at: null }, []],
    ['switched off', { enabled: false }, []],
  ])('of a config of the terminal that is %s', (_, given, titles) => {
    const configs = [{ ...config, ...given } as ConfigListItem]
    expect(todosOf({ strategies: [], configs, today: '2026-11-20', user: null }).map(({ title }) => title)).toEqual(titles)
  })

  it('counts days of trade: nobody has to be at work on a Sunday, or in the first week of October', () => {
    const closed = { dates: new Set(['01', '02', '05', '06', '07'].map((day) => `2026-10-${day}`)), expected: false }
    const configs = [{ ...config, diff_count: 0, exported_at: '2026-09-30T14:50:00+08:00' } as ConfigListItem]
    const titlesOn = (today: string) => todosOf({ strategies: [], configs, today, closed, user: null }).map(({ title }) => title)
    expect(titlesOn('2026-10-09')).toEqual([])
    expect(titlesOn('2026-10-12')).toEqual(['「实盘」运行配置 3 个交易日未导出'])
  })

  it.each([
    [{ demo: false, email_masked: 'a***@b.cn', email_activated: false }, ['邮箱未激活']],
    [{ demo: false, email_masked: null, email_activated: false }, ['还没有绑定邮箱']],
    [{ demo: false, email_masked: 'a***@b.cn', email_activated: true }, []],
    [{ demo: true, email_masked: null, email_activated: false }, []],
  ])('of an account %j: %j', (user, titles) => expect(todosOf({ strategies: [], user }).map(({ title }) => title)).toEqual(titles))
})

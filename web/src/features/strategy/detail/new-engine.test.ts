import { expect, it } from 'vitest'
import { newEngineText } from './new-engine.ts'

const dates = ['2026-11-04', '2026-11-05']
const days = { dates, nav: [1, 1.1], now: [1, 1.05] }
const kept = ['持有到赎回兑付自引擎 0.5 起按赎回价、在兑付日到账；这里写于改动之前，结果可能与当时不同']
const from = (version: string | null, day: string) => ({ from: day, version })
const since = (day: string, version = '0.5.0') => `自 ${day} 起由引擎 ${version} 记录，此前各日由更早的引擎写下，保持原样。`

it.each<[string, Parameters<typeof newEngineText>[1]['engines'], string | null]>([
  ['one engine is not named', [from('0.5.0', dates[0]!)], null],
  ['nor older ones that nobody noted', [from(null, dates[0]!)], null],
  [
    'a run of now differs before it, and why',
    [from(null, dates[0]!), from('0.5.0', '2026-11-06')],
    `${since('2026-11-06')}现在重跑与此前不同，因为：转债的最后交易日、退出与兑付自引擎 0.5 起按各日当时所知计算；持有到赎回兑付自引擎 0.5 起按赎回价、在兑付日到账。`,
  ],
  ['what differs from its day on is not the engine’s', [from(null, dates[0]!), from('0.5.0', dates[1]!)], since(dates[1]!)],
  [
    'the operator’s rules are named as such',
    [from('0.5.0', dates[0]!), from('0.5.0+st.off', '2026-11-06')],
    `${since('2026-11-06', '0.5.0+st.off')}现在重跑与此前不同，因为：站点的交易规则设置改过。`,
  ],
])('the day of a new engine: %s', (_, engines, expected) => {
  expect(newEngineText('cb', { ...days, engines }, kept)).toBe(expected)
})

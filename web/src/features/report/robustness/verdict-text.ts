import type { Report } from '@convexa/contract/report'
import type { Robustness, RobustnessCheck } from '@convexa/contract/robustness'
import type { TrustState, Verdict, Worth, WorthState } from '@convexa/contract/verdict'
import { countsOf } from '@convexa/engine/report'
import { count, percent } from '../../../base/format.ts'
import { capitalWords } from '../../rule/capital-words.ts'
import { depositCurve, type Piece } from '../sentences.ts'

// Two questions on a run, two answers (experience.md 1): 跑赢了吗 and 靠谱吗. They stand side by side, never one alone.

type Icon = 'check' | 'down' | 'help'
export interface ChipWords {
  text: string
  look: 'ok' | 'warn' | 'danger' | 'info' | 'outlined'
  icon?: Icon
}

const worthChips: Record<WorthState, ChipWords> = {
  yes: { text: '跑赢', look: 'ok', icon: 'check' },
  unclear: { text: '说不准', look: 'info', icon: 'help' },
  no: { text: '没跑赢', look: 'warn', icon: 'down' },
  short: { text: '时间太短', look: 'outlined' },
}

const trustChips: Record<TrustState, (missing: number) => ChipWords> = {
  high: () => ({ text: '稳健度 高', look: 'ok' }),
  middle: () => ({ text: '稳健度 中', look: 'warn' }),
  low: () => ({ text: '稳健度 低', look: 'danger' }),
  pending: (missing) => ({ text: `待查 ${missing} 项`, look: 'info' }),
  moot: () => ({ text: '不评稳健度', look: 'outlined' }),
  short: () => ({ text: '样本不足', look: 'outlined' }),
}

/** The two chips of a run, first that of 跑赢了吗. `checks`: how many there are, four of a group and six of a rule. */
export const chipsOf = ({ worth, trust, judged }: Pick<Verdict, 'worth' | 'trust' | 'judged'>, checks: number): [ChipWords, ChipWords] => [
  worthChips[worth],
  trustChips[trust](checks - judged),
]

/** The same of a report; null where there is nothing to hold it against. */
export function chipsOfReport({ worth, robustness }: Pick<Report, 'worth' | 'robustness'>): [ChipWords, ChipWords] | null {
  if (!worth) return null
  const { judged } = countsOf(robustness.checks)
  return chipsOf({ worth: worth.state, trust: robustness.verdict, judged }, robustness.checks.length)
}

/** In words: 跑赢 · 稳健度 中. */
export const chipText = (chips: readonly ChipWords[]): string => chips.map(({ text }) => text).join(' · ')

/** What the whole market at equal weights is called among investors; an index has its own name. */
const isWholeMarket = ({ against }: Pick<Worth, 'against'>): boolean => against.key.endsWith('_ew')

/** Below this share of the capital a difference is none. */
const sameShare = 0.005

interface Sums {
  /** 万元: the rule's, its reference's, and what lies between. */
  own: number
  reference: number
  gap: number
}
const sumsOf = ({ end_nav: nav, end_ref: reference }: Worth, capital: number): Sums => {
  return { own: capital * nav, reference: capital * reference, gap: capital * (nav - reference) }
}

/** The first line, in yuan: what was made beside what the market gave. `capital` in 万元; a strong piece is a sum. */
export function firstLine(worth: Worth, capital: number, days: number): Piece[] {
  if (worth.state === 'short') return [`${days} 个交易日，先别下结论`]
  const { own, reference, gap } = sumsOf(worth, capital)
  const name = isWholeMarket(worth) ? '摊大饼' : worth.against.label
  const instead = isWholeMarket(worth) ? '不如直接摊大饼' : `不如直接买${name}`
  const sum = (value: number) => ({ strong: capitalWords(value) })
  if (Math.abs(gap) < sameShare * capital && worth.state !== 'yes') return [`和${name}差不多，只差 `, sum(Math.abs(gap))]
  if (gap <= 0) {
    if (reference < capital) return [`${instead}：多亏 `, sum(-gap)]
    if (own < capital) return [`${instead}：它赚 `, sum(reference - capital), '，你亏 ', sum(capital - own)]
    return [`${instead}：少赚 `, sum(-gap)]
  }
  if (own < capital) return ['也亏了 ', sum(capital - own), `，但比${name}少亏 `, sum(gap)]
  return worth.state === 'yes' ? [`比${name}多赚 `, sum(gap)] : ['多赚 ', sum(gap), '，但说不准']
}

/** Whether the first line tells of a gain over the reference, of a loss, or of neither: the colour of its sums. */
export function gapTone(worth: Worth, capital: number): 'up' | 'down' | '' {
  const { gap } = sumsOf(worth, capital)
  if (worth.state === 'short' || (Math.abs(gap) < sameShare * capital && worth.state !== 'yes')) return ''
  return gap > 0 ? 'up' : 'down'
}

/** Beyond this share of the resampled histories a difference is no accident. */
const noAccident = 0.05

/** The second line: what the money became, and how sure the difference is. */
export function secondLine(worth: Worth, capital: number, days: number): Piece[] {
  const { own, reference, gap } = sumsOf(worth, capital)
  const { label } = worth.against
  if (worth.state === 'short' || worth.excess_annual === null || worth.interval === null || worth.share_above === null)
    return [`目前比${label}${gap > 0 ? '多赚' : '少赚'} `, { strong: capitalWords(Math.abs(gap)) }, '。不足一年，未年化，也不重演。']
  const became: Piece[] = [`${capitalWords(capital)}变成 `, { strong: capitalWords(own) }]
  const yearly: Piece = { strong: percent(Math.abs(worth.excess_annual)) }
  const share = worth.share_above
  const times = `${worth.n.toLocaleString('en')} 次`
  if (worth.state === 'yes') {
    const deposit = capitalWords(capital * (depositCurve(days).at(-1) ?? 1))
    const pieces: Piece[] = [`，同期${label} ${capitalWords(reference)}、存款 ${deposit}。平均每年多 `, yearly]
    return [...became, ...pieces, `；打乱次序重演 ${times}，`, { strong: percent(share, 1) }, ` 跑赢${label}。`]
  }
  const both: Piece[] = [...became, `，${label} ${capitalWords(reference)}。`]
  if (worth.state === 'unclear') {
    const [low, high] = worth.interval
    const range = `；重演 ${times}，九成在 ${signedShort(low)} ~ ${signedShort(high)} 之间，`
    return [...both, '平均每年多 ', yearly, range, { strong: percent(1 - share, 1) }, ' 跑输。']
  }
  const won: Piece[] = share === 0 ? ['没有一次跑赢'] : ['只有 ', { strong: percent(share, 1) }, ' 跑赢']
  const sure = share <= noAccident ? '。差距不是偶然。' : '。'
  return [...both, '平均每年少 ', yearly, `；重演 ${times}，`, ...won, sure]
}

const signedShort = (value: number): string => `${value < 0 ? '−' : '+'}${percent(Math.abs(value), 1)}`

/** The third line: of the last year, where it says the opposite of the whole. */
export function recentLine({ excess_annual: whole, recent_excess: recent }: Worth): string | null {
  if (whole === null || recent === null) return null
  if (whole > 0 && recent < 0) return `近一年反而落后 ${percent(-recent)}`
  if (whole <= 0 && recent > 0) return `近一年反超，多 ${percent(recent)}`
  return null
}

/** What the t of the excess is, for the one who wants to work it out. */
export const sureWords = ({ t, block_days: block, n }: Worth): string =>
  `每 ${block} 个交易日一块，有放回重排 ${count(n)} 次${t === null ? '' : `；超额均值的 t（Newey–West）${t.toFixed(2).replace('-', '−')}`}`

/** 靠谱吗：六项检查; a group has four. */
export const robustnessTitle = ({ group }: Pick<Report, 'group'>): string => (group ? '靠谱吗：四项检查' : '靠谱吗：六项检查')

const chinese = ['零', '一', '两', '三', '四', '五', '六']

/** The headline of 靠谱吗. */
export function trustLine({ robustness: { verdict, checks } }: Pick<Report, 'robustness'>): string {
  const { judged, passed, failed } = countsOf(checks)
  const words: Record<TrustState, string> = {
    short: '满一年再查',
    moot: `查过的 ${judged} 项里 ${passed} 项通过`,
    low: `${passed} 项通过，${failed} 项没过`,
    pending: `查过 ${judged} 项，${passed} 项通过`,
    high: `${chinese[checks.length]}项都通过`,
    middle: `${passed} 项通过，${failed} 项没过`,
  }
  return words[verdict]
}

const names = (checks: readonly RobustnessCheck[]): string => checks.map(({ label }) => label).join('、')

/** The sentence under that headline. */
export function trustSentence({ verdict, checks }: Pick<Robustness, 'verdict' | 'checks'>): string {
  const missing = checks.filter(({ ok }) => ok === null)
  const failed = checks.filter(({ ok }) => ok === false)
  const words: Record<TrustState, () => string> = {
    short: () => '不足一年的结果，通过几项都说明不了什么。',
    moot: () => '没有超额时，通过几项都不改变结论。',
    low: () => worstOf(failed),
    pending: () => `还差 ${missing.length} 项：${names(missing)}。`,
    high: () => '暂未发现过拟合迹象。',
    middle: () => `${names(failed)}没有通过。`,
  }
  return words[verdict]()
}

/** Which failed check says most, the first of these. */
const worstFirst: readonly RobustnessCheck['key'][] = ['deflated', 'overfitting', 'out_of_sample', 'extremes', 'neighbours', 'luck']

function worstOf(failed: readonly RobustnessCheck[]): string {
  const worst = worstFirst.map((key) => failed.find((check) => check.key === key)).find((check) => check !== undefined)
  return worst ? `${worst.label}：${worst.sentence}。` : ''
}

/** Asks the sources for what a day of a market is made of, and keeps what they answer. */
import { join } from 'node:path'
import type { Kind } from '@convexa/contract'
import { hasStepped } from '../../market/import/factors.ts'
import type { SnapshotKind } from '../../market/snapshot.ts'
import type { Chain, Check } from '../chain.ts'
import { type Answer, type Ask, type FaultKind, FeedFault, type Need, type RawAnswer } from '../feed.ts'
import { needLabel } from '../needs.ts'
import type { DayTable } from '../rows.ts'
import { type Kept, keepAnswer, keepBytes } from './raw-answers.ts'

/** When something can be had: bars and lists after the close, announcements in the evening, statements late. */
export const steps = ['quotes', 'events', 'statements'] as const
export type Step = (typeof steps)[number]

export type AnswersSoFar = { readonly [N in Need]?: Answer<N> }

export interface Asked {
  readonly day: string
  /** Codes of the market's securities, for needs that are asked of each. */
  readonly codes: readonly string[]
  /** Those of the day's bars of whom nothing was ever published that we know of: their history is asked for with the bars. */
  readonly newcomers: readonly string[]
  /** Those of the day's bars that come without a factor and whose previous close is not their close before: did something go out of them? */
  readonly stepped: readonly string[]
  /** Those whose conversion price may be another than the one that is known, by what was answered so far. */
  repriced(answers: AnswersSoFar): readonly string[]
  readonly answers: AnswersSoFar
  /** Whether what stocks were called is known so far. */
  readonly hasNames: boolean
  /** Statements are asked from this day of publication on. */
  readonly statementsFrom: string
}

/**
 * One question of a day; null: there is nothing to ask. Without an answer to one that must be there the day waits; `if offered`: also, but
 * not where no source may give it.
 */
type Question = {
  [N in Need]: { readonly need: N; readonly must: boolean | 'if offered'; readonly ask: (asked: Asked) => Ask<N> | null }
}[Need]

const question = <N extends Need>(need: N, must: boolean | 'if offered', ask: (asked: Asked) => Ask<N> | null) =>
  ({ need, must, ask }) as Extract<Question, { need: N }>

const daysBefore = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10)

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])].sort()
const some = (codes: readonly string[]) => (codes.length === 0 ? null : { codes })
const bars = ({ day }: Asked) => ({ date: day })
/** Announcements of some days before too: they are not always told on their day. */
const lookBackDays = 10
/** Names are announced before they hold, and told late. */
const statements = question('statements', 'if offered', ({ statementsFrom: from, day: to }) => ({ from, to }))
const names = question('names', false, ({ day, hasNames }) => (hasNames ? { from: daysBefore(day, 30), to: day } : {}))

export const questions: Readonly<Record<SnapshotKind, Readonly<Record<Step, readonly Question[]>>>> = {
  stk: {
    quotes: [
      question('stock-day', true, bars),
      question('stock-list', false, () => ({})),
      names,
      question('ex-days', false, ({ day, stepped }) => (stepped.length === 0 ? null : { date: day, codes: stepped })),
    ],
    events: [],
    statements: [statements],
  },
  cb: {
    quotes: [
      question('bond-day', true, bars),
      question('stock-day', false, bars),
      question('bond-list', false, () => ({})),
      question('stock-list', false, () => ({})),
      names,
      // Before the rows are judged: a price that moved that day would make a right value look wrong.
      question('conversion-prices', false, ({ newcomers, repriced, answers }) => some(union(newcomers, repriced(answers)))),
      question('remaining-sizes', false, ({ newcomers }) => some(newcomers)),
    ],
    events: [
      question('calls', false, ({ day }) => ({ from: daysBefore(day, lookBackDays), to: day })),
      question('conversion-prices', false, ({ repriced, answers }) => some(repriced(answers))),
      question('remaining-sizes', false, ({ codes }) => some(codes)),
    ],
    statements: [statements],
  },
  index: { quotes: [question('index-day', true, ({ day, codes }) => ({ date: day, codes }))], events: [], statements: [] },
}

/** All that the days of a market are asked for, the index series beside it too. */
export const needsOf = (kind: Kind): Need[] => [
  ...new Set([kind, 'index' as const].flatMap((each) => steps.flatMap((step) => questions[each][step].map(({ need }) => need)))),
]

/** Faults after which another try may help. */
const comes: ReadonlySet<FaultKind> = new Set(['wait', 'network', 'shape'])

/** Bars of so many securities are compared with those of the next source, where there is one: enough to see another unit or another day. */
const secondOpinions: Partial<Record<Need, { rows: number }>> = { 'stock-day': { rows: 20 }, 'bond-day': { rows: 20 } }
const mostTold = 3

function differencesIn(from: string, check: Check | null): string[] {
  if (check === null || check.differences.length === 0) return []
  const some = check.differences.slice(0, mostTold).map(({ code, field, first, second }) => `${code} 的 ${field} 为 ${first} 与 ${second}`)
  return [`${from} 与 ${check.by} 比对 ${check.cells} 处，${check.differences.length} 处不同：${some.join('、')}`]
}

export interface Gathered {
  readonly kept: readonly Kept[]
  /** Chinese sentences: who was passed over and why, what is not in an answer. */
  readonly notes: readonly string[]
  /** Why the day has to wait; null: all that must be there is. */
  readonly waits: string | null
}

/** What is known before the first answer. */
export interface Known extends Omit<Asked, 'newcomers' | 'stepped' | 'answers'> {
  /** Whether anything was ever published of the code. */
  isKnown(code: string): boolean
  /** The close before, NaN = none. */
  closeBefore(code: string): number
}

function steppedIn({ codes, columns }: DayTable, closeBefore: Known['closeBefore']): string[] {
  const previous = columns.get('pre_close')
  if (previous === undefined || columns.get('adj_factor')?.some((cell) => cell === cell)) return []
  return codes.filter((code, i) => hasStepped(closeBefore(code), previous[i]!))
}

/** Asks for a step of a day. Every answer is on the disk before it is used. */
export async function gather(
  { chain, dataDir, signal }: { chain: Pick<Chain, 'ask'>; dataDir: string; signal: AbortSignal },
  kind: SnapshotKind,
  step: Step,
  { isKnown, closeBefore, ...known }: Known,
): Promise<Gathered> {
  const { day } = known
  const kept: Kept[] = []
  const notes: string[] = []
  let newcomers: readonly string[] = []
  let stepped: readonly string[] = []
  const answers: Partial<Record<Need, unknown>> = {}
  for (const { need, must, ask } of questions[kind][step]) {
    const raw: RawAnswer[] = []
    const asked = ask({ ...known, newcomers, stepped, answers: answers as AnswersSoFar })
    if (asked === null) continue
    try {
      const told = await chain.ask(need, asked, { signal, keep: (answer) => raw.push(answer) }, secondOpinions[need])
      for (const { what, bytes } of raw) await keepBytes(dataDir, join(what.split(' ')[0]!, need, day), 'raw', bytes)
      notes.push(...told.passed.map(({ why }) => why), ...differencesIn(told.from, told.check))
      if ('notes' in told.answer) notes.push(...(told.answer.notes ?? []))
      if ('codes' in told.answer && told.answer.codes.length === 0) {
        if (must) return { kept, notes, waits: '数据源还没有这一天的数据' }
        continue
      }
      if (must === true && 'codes' in told.answer) {
        newcomers = told.answer.codes.filter((code) => !isKnown(code))
        stepped = steppedIn(told.answer, closeBefore)
      }
      answers[need] = told.answer
      kept.push(await keepAnswer(dataDir, need, day, told.from, told.answer))
    } catch (error) {
      if (!(error instanceof FeedFault)) throw error
      if (must === true || (must && comes.has(error.kind))) return { kept, notes, waits: error.message }
      notes.push(`${needLabel(need)}：${error.message}`)
    }
  }
  return { kept, notes: [...new Set(notes)], waits: null }
}

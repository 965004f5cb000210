/** What the days of a market are asked for, what parts they have and what of them is read; how they are made stands in `day-columns.ts`. */
import type { MarketId } from '@convexa/contract'
import type { Need } from '../../db/tables/answers.ts'
import type { DayPart, ListPart } from '../../db/tables/day-parts.ts'
import type { Database } from '../../db/tables.ts'
import type { SnapshotKind } from '../../market/manifest.ts'
import { type Entry, entryOfBond, entryOfStock } from './entries.ts'
import { type AnswersSoFar, daysBefore, type GatherState, lookBackDays, type Question, question, type Step, steps } from './questions.ts'
import { valuationFields } from './valuations.ts'

/** The sources that are on and may be asked, and the parts of a day that come with their answers. */
type Offering = (need: Need) => readonly { readonly givesOfDay?: readonly DayPart[] }[]

export type FactName = Exclude<Database['known_fact']['what'], 'statement'>

interface IngestRules {
  /** The question for the bars of a day. */
  readonly bars: 'stock-day' | 'bond-day' | 'index-day'
  /** The question for the list of its securities; null: it has none. */
  readonly list: 'stock-list' | 'bond-list' | null
  readonly questions: Readonly<Record<Step, readonly Question[]>>
  /** Securities by the answered list; undefined without one. */
  readonly entries: (answers: AnswersSoFar) => Entry[] | undefined
  /** What was published that a day needs to know. */
  readonly facts: readonly FactName[]
  /** Parts of a day besides its bars and list. */
  readonly otherParts: (offering: Offering) => readonly DayPart[]
  /** Parts whose numbers are read by every rule: prices, who is there, when a bond ends. */
  readonly alwaysRead: readonly ListPart[]
  /** Stored fields by the part that they come with. */
  readonly fieldsOfParts: Partial<Record<ListPart, readonly string[]>>
}

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])].sort()
const some = (codes: readonly string[]) => (codes.length === 0 ? null : { codes })
const bars = ({ day }: GatherState) => ({ date: day })
const statements = question('statements', 'if offered', ({ statementsFrom: from, day: to }) => ({ from, to }))
/** Names are announced before they hold, and sources have them late. */
const names = question('names', false, ({ day, hasNames }) => (hasNames ? { from: daysBefore(day, 30), to: day } : {}))

const eveningParts = { prices: 'conversion-prices', sizes: 'remaining-sizes', announcements: 'calls' } as const

export const ingestRules: Readonly<Record<SnapshotKind, IngestRules>> = {
  stk: {
    bars: 'stock-day',
    list: 'stock-list',
    questions: {
      quotes: [
        question('stock-day', true, bars),
        question('stock-list', false, () => ({})),
        names,
        question('ex-days', false, ({ day, stepped }) => (stepped.length === 0 ? null : { date: day, codes: stepped })),
      ],
      events: [],
      statements: [statements],
    },
    entries: (answers) => answers['stock-list']?.map(entryOfStock),
    facts: ['name'],
    otherParts: (offering) => offering('stock-day').flatMap(({ givesOfDay = [] }) => givesOfDay),
    alwaysRead: ['bars', 'lists'],
    fieldsOfParts: { factors: ['adj_factor'], valuations: [...valuationFields, 'turnover', 'turnover_free'] },
  },
  cb: {
    bars: 'bond-day',
    list: 'bond-list',
    questions: {
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
    entries: (answers) => answers['bond-list']?.map(entryOfBond),
    facts: ['call', 'conversion_price', 'remaining_size', 'rating', 'name'],
    otherParts: (offering) => [
      ...(offering('bond-day').some(({ givesOfDay = [] }) => givesOfDay.includes('valuations')) ? (['valuations'] as const) : []),
      ...(['prices', 'sizes', 'announcements'] as const).filter((part) => offering(eveningParts[part]).length > 0),
    ],
    alwaysRead: ['bars', 'lists', 'announcements'],
    fieldsOfParts: {
      valuations: ['pure_value'],
      prices: ['conv_price', 'conv_value', 'conv_prem'],
      sizes: ['remain_size', 'turnover'],
      share_bars: ['close_stk', 'pre_close_stk', 'vol_stk', 'amount_stk', 'conv_value', 'conv_prem'],
      share_factors: ['adj_factor_stk'],
      share_valuations: ['total_mv', 'circ_mv', 'pb', 'pe_ttm', 'ps_ttm', 'dv_ratio'],
    },
  },
  index: {
    bars: 'index-day',
    list: null,
    questions: { quotes: [question('index-day', true, ({ day, codes }) => ({ date: day, codes }))], events: [], statements: [] },
    entries: () => undefined,
    facts: [],
    otherParts: () => [],
    alwaysRead: ['bars'],
    fieldsOfParts: {},
  },
}

/** All that the days of a market are asked for, the index series beside it too. */
export const needsOf = (kind: MarketId): Need[] => [
  ...new Set(
    [kind, 'index' as const].flatMap((each) => steps.flatMap((step) => ingestRules[each].questions[step].map(({ need }) => need))),
  ),
]

import type { GridAxis, GridResult, ShortMetrics } from '@convexa/contract/grid'
import { namesVersion } from '@convexa/contract/names-version'
import type { LongQuery } from '../../api/long-query-store.ts'
import { useAuth } from '../../state/auth.ts'
import { parameters, settings } from '../../state/rule-shapes.ts'
import { atLeast, finite, flag, listOf, oneOf, optional, orNull, text, texts } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'
import type { GridQuestion, ShownAxis } from './grid-request.ts'

// The last grid outlives the page: a report that came from one of its cells is still judged with it after a reload. Curves of cells are not
// kept, they are nine tenths of it.

const key = 'lastGrid'
/** Size limit in characters; a browser stores about five million for the whole site. */
const most = 1_500_000

type Answered = NonNullable<LongQuery<GridQuestion, GridResult>['answered']>
interface Kept extends Answered {
  /** Id of the user it belongs to. */
  user: string
  /** Version of the factor names that it is written in; a grid in older names can be computed anew. */
  names: number
}

const place = listOf(finite)
const figure = orNull(finite)
const metrics = atLeast<ShortMetrics>({
  ...{
    annual_return: figure,
    total_return: figure,
    max_drawdown: figure,
    sharpe: figure,
    calmar: figure,
    turnover: figure,
    win_rate: figure,
  },
})
const axes = listOf(atLeast<GridAxis>({ path: text, label: text, values: listOf(finite) }))
const shape = atLeast<Kept>({
  ...{ user: text, names: oneOf(namesVersion), seconds: finite },
  question: atLeast<GridQuestion>({
    body: atLeast<GridQuestion['body']>({ parameters, settings, axes }),
    axes: listOf(atLeast<ShownAxis>({ label: text, unit: text, scale: oneOf(1, 100), values: listOf(finite), now: figure })),
    ...{ name: text, strategyId: optional(text), draftId: optional(text), own: optional(orNull(text)) },
  }),
  answer: atLeast<GridResult>({
    ...{ axes, cells: listOf(atLeast<GridResult['cells'][number]>({ index: place, metrics, oos_metrics: optional(metrics) })) },
    best: orNull(atLeast({ index: place })),
    plateau: atLeast({ cells: listOf(place), sentence: text }),
    stability: listOf(atLeast<GridResult['stability'][number]>({ index: place, neighbour_std: figure })),
    robustness: atLeast({ trials: finite, luck_threshold: figure, dsr: figure, pbo: figure }),
    folds: optional(listOf(atLeast<NonNullable<GridResult['folds']>[number]>({ best: place }))),
    ...{ partial: flag, done: finite, total: finite, warnings: texts, data_version: text },
  }),
})

const userId = (): string | undefined => useAuth.getState().userData?.user_id

/** The last grid that this user was answered in this browser; null when there is none. */
export function keptGrid(): Answered | null {
  const kept = local.read(key, shape)
  if (!kept || kept.user !== userId()) return null
  const { user: _user, names: _names, ...answered } = kept
  // One that was kept by an earlier release does not say which formulas it was made with.
  return { ...answered, question: { ...answered.question, own: answered.question.own ?? null } }
}

/** Keeps an answer; null: that of nobody. */
export function keepGrid(answered: Answered | null): void {
  const user = userId()
  local.remove(key)
  if (!answered || user === undefined) return
  const { answer } = answered
  const cells = answer.cells.map(({ nav: _nav, ...cell }) => cell)
  const kept: Kept = { ...answered, answer: { ...answer, cells }, user, names: namesVersion }
  if (JSON.stringify(kept).length <= most) local.write(key, kept)
}

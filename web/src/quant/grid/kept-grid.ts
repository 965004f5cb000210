import type { GridResult } from '@convexa/contract/grid'
import { keptNames } from '@convexa/contract/kept-meaning'
import { namesVersion } from '@convexa/contract/names-version'
import { useAuth } from '../../state/auth.ts'
import { local } from '../../state/storage.ts'
import type { Asked } from '../asked.ts'
import type { GridQuestion } from './grid-request.ts'

// The last grid outlives the page: a report that came from one of its cells is still judged with it after a reload. Curves of cells are not
// kept, they are nine tenths of it.

const key = 'lastGrid'
/** Characters; the browser keeps some five millions for all of the site. */
const most = 1_500_000

type Answered = NonNullable<Asked<GridQuestion, GridResult>['answered']>
interface Kept extends Answered {
  /** Whose it is. */
  user: string
  /** The names that its factors are written in. */
  names?: number
}

const userId = (): string | undefined => useAuth.getState().userData?.user_id

/** The last grid that this user was answered in this browser; null when there is none. */
export function keptGrid(): Answered | null {
  const kept = local.read<Kept>(key)
  if (!kept || kept.user !== userId() || !Array.isArray(kept.answer?.cells) || !Array.isArray(kept.question?.body?.axes)) return null
  const { user: _user, names, ...answered } = kept
  // One that was kept by an earlier release does not say which formulas it was made with.
  const { value: question } = (names ?? 1) < namesVersion ? keptNames('cb', answered.question) : { value: answered.question }
  return { ...answered, question: { ...question, own: question.own ?? null } }
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

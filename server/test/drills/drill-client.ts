/**
 * `npm run drill:client [-- --stories 1000]`: the terminal's client in random stories of days with nights and weekends, against terminals
 * with the habits that users report, the user's own hand, dying computers and damaged files (qmt-client/test/stories.py, which asserts its
 * invariants from the world's own truth); days on which every answer of the site may be changed (fuzzed_answers.py); random days on which the
 * client is a process of its own that is ended by SIGKILL (random_days.py); and clients with one rule taken out, each of which the stories
 * must catch (mutants.py).
 */
import { fileURLToPath } from 'node:url'
import { openFigures } from '../fixtures/figures.ts'
import { hasPython, python } from '../fixtures/python.ts'
import { readDrillOptions, skipDrill } from './drill-options.ts'

const { stories, days, fuzzed, mutants, seed } = readDrillOptions({
  stories: { whole: 10_000, quick: 300 },
  days: { whole: 500, quick: 60 },
  fuzzed: { whole: 10_000, quick: 300 },
  mutants: { whole: 500, quick: 0 },
  seed: { whole: 1, quick: 1 },
})
if (!hasPython) skipDrill('没有找到 python3（3.6 或更新的版本），QMT 客户端的演练需要它')

const run = (file: string, ...numbers: readonly number[]) =>
  python([fileURLToPath(new URL(`../../../qmt-client/test/${file}`, import.meta.url)), ...numbers.map(String)])
/** Figures that a file prints on its last line; an assertion ends it with a traceback. */
function figuresOf<Figures>({ status, said }: Awaited<ReturnType<typeof run>>): Figures | null {
  if (status === 0) return JSON.parse(said.trim().split('\n').at(-1)!) as Figures
  console.error(said)
  return null
}

type Stories = Record<'stories' | 'days' | 'orders' | 'kills' | 'questions' | 'journals' | 'exact' | 'halted', number> & {
  readonly habits: Readonly<Record<string, number>>
  readonly broken: readonly string[]
}
type Fuzzed = Record<'cases' | 'days' | 'changed' | 'orders', number>
type Days = Record<'days' | 'orders' | 'kills' | 'real' | 'unsettled', number>

const figures = openFigures()
const half = Math.ceil(stories / 2)
const parts = await Promise.all([run('stories.py', half, seed), run('stories.py', half, seed + half)])
const seen = parts.map((part) => figuresOf<Stories>(part))
if (seen.every((one) => one !== null)) {
  const sum = (of: (one: Stories) => number) => seen.reduce((total, one) => total + of(one), 0)
  figures.fact('stories, days, orders', `${sum((one) => one.stories)}, ${sum((one) => one.days)}, ${sum((one) => one.orders)}`)
  figures.fact(
    'deaths, questions to the user, journals he chose between',
    `${sum((one) => one.kills)}, ${sum((one) => one.questions)}, ${sum((one) => one.journals)}`,
  )
  figures.fact('clients that ended with everything known', `${sum((one) => one.exact)}; ${sum((one) => one.halted)} halted by a journal`)
  const habits = [...new Set(seen.flatMap(({ habits }) => Object.keys(habits)))].sort()
  for (const habit of habits) figures.fact(`stories in which it struck: ${habit}`, String(sum(({ habits }) => habits[habit] ?? 0)))
  const rare = habits.filter((habit) => sum((one) => one.habits[habit] ?? 0) < stories / 100)
  // Of few stories it is chance.
  if (stories >= 10_000) figures.none('habits that struck in less than a hundredth of the stories', rare)
}
figures.none(
  'stories with an invariant broken',
  seen.flatMap((one) => one?.broken ?? ['a half of them ended early']),
)

const parted = Math.ceil(fuzzed / 2)
const nonsense = (await Promise.all([run('fuzzed_answers.py', parted, seed), run('fuzzed_answers.py', parted, seed + fuzzed)])).map(
  (part) => figuresOf<Fuzzed>(part),
)
if (nonsense.every((one) => one !== null)) {
  const sum = (of: (one: Fuzzed) => number) => nonsense.reduce((total, one) => total + of(one), 0)
  figures.fact(
    'days with changed answers, answers changed, orders',
    `${sum((one) => one.days)}, ${sum((one) => one.changed)}, ${sum((one) => one.orders)}`,
  )
}
figures.none('days on which an answer ended a client or moved it beyond a bound', nonsense.filter((one) => one === null).length)

const killed = figuresOf<Days>(await run('random_days.py', days, seed))
if (killed) figures.fact('days, kills, processes ended by SIGKILL', `${killed.days}, ${killed.kills}, ${killed.real}`)
figures.none('random days with an order twice, a foreign sale, a cap passed', killed ? 0 : 1)

if (mutants > 0) {
  const caught = figuresOf<Record<string, { story: number } | null>>(await run('mutants.py', mutants))
  for (const [rule, found] of Object.entries(caught ?? {}))
    figures.fact(`without “${rule}”`, found ? `caught by story ${found.story}` : 'not caught')
  figures.none('rules whose absence no story notices', caught ? Object.values(caught).filter((found) => found === null).length : 1)
}
process.exit(figures.end())

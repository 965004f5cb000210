/**
 * npm run fuzz:backtests [-- [--quick] [requests] [seed]]
 *
 * Random requests of both markets on random markets: the engine against the slow twin, net values day by day to 1e-9 and trades one
 * by one. Prints what the requests were made of and every one that differs.
 */
import { type Comparison, compareBacktests } from './compare-backtests.ts'

const given = process.argv.slice(2)
const [requests = 200, first = 1] = given.filter((one) => one !== '--quick').map(Number)
const begun = performance.now()
const all: Comparison[] = []
for (let seed = first; all.length < requests; seed++) {
  for (const kind of ['cb', 'stk'] as const) {
    if (all.length < requests) all.push(compareBacktests(kind, seed))
    const made = all[all.length - 1]
    if (made?.kind === kind && made.seed === seed && made.wrong !== null)
      console.error(`${kind} ${seed}: ${made.wrong}\n  ${made.rules.join(', ')}`)
  }
}
const sum = (of: (each: Comparison) => number) => all.reduce((total, each) => total + of(each), 0)
const count = (texts: readonly string[]) => {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return [...times].sort(([a], [b]) => (a < b ? -1 : 1)).map(([text, n]) => `${text}: ${n}`)
}
const reasons = new Map<string, number>()
for (const each of all) for (const [reason, n] of each.reasons) reasons.set(reason, (reasons.get(reason) ?? 0) + n)
const wrong = all.filter((each) => each.wrong !== null).length
console.log(count(all.flatMap(({ rules }) => rules)).join(', '))
console.log([...reasons].map(([reason, n]) => `${reason}: ${n}`).join(', '))
console.log(
  `${all.length} requests, ${sum(({ days }) => days)} days, ${sum(({ trades }) => trades)} trades; ${wrong} differ; ` +
    `${Math.round((performance.now() - begun) / 1000)} s`,
)
process.exitCode = wrong > 0 ? 1 : 0

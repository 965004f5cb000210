/**
 * npm run fuzz:formulas [-- [--quick] [formulas] [texts] [seed]]
 *
 * 1. Random formulas that are accepted, over random markets, cell by cell against the slow evaluator: equal to 1e-9 or both absent.
 * 2. Random texts: nothing crashes, none takes longer than 250 ms, every refusal is met.
 * 3. Every function with the longest windows: the most values that admission lets in are read within the child's 55 seconds.
 */
import { compareRandomFormulas } from './compare-formulas.ts'
import { dearFormulas } from './dear-formulas.ts'
import { compileRandomTexts, everyRefusal } from './random-text.ts'

const given = process.argv.slice(2)
const quick = given.includes('--quick')
const [formulas = quick ? 10_000 : 50_000, texts = quick ? 30_000 : 100_000, first = 1] = given
  .filter((one) => one !== '--quick')
  .map(Number)
const batch = 1_000
const longest = 250
const begun = performance.now()
const seconds = () => `${Math.round((performance.now() - begun) / 1000)} s`
const total = { formulas: 0, cells: 0, present: 0, undecided: 0, wrong: 0 }
const calls = new Map<string, number>()
for (let seed = first; total.formulas < formulas; seed++) {
  const figures = compareRandomFormulas(seed, batch)
  for (const [name, times] of figures.calls) calls.set(name, (calls.get(name) ?? 0) + times)
  for (const { text, cells } of figures.wrong) console.error(`seed ${seed}: ${text}\n  ${cells.join('\n  ')}`)
  total.formulas += figures.formulas
  total.cells += figures.cells
  total.present += figures.present
  total.undecided += figures.undecided
  total.wrong += figures.wrong.length
  if (seed % 10 === 0) console.log(`${total.formulas} formulas, ${total.wrong} wrong, ${seconds()}`)
}
console.log(
  `${total.formulas} formulas, ${calls.size} functions and operators at the top; ${total.cells} cells, ${total.present} with a value, ` +
    `${total.undecided} undecided; ${total.wrong} formulas wrong; ${seconds()}`,
)
const told = compileRandomTexts(first, texts)
const codes = [...told.refusals].sort(([a], [b]) => a - b).map(([code, times]) => `${code}: ${times}`)
console.log(
  `${told.texts} texts, ${told.accepted} accepted, slowest ${told.slowest.toFixed(1)} ms; refusals ${codes.join(', ')}; ${seconds()}`,
)
if (told.slowest > longest) console.error(`slower than ${longest} ms: ${told.slowestText}`)
/** reliability.md 2.3: values that a member's formula may read, and seconds that the compute child has. */
const [mostValues, mostSeconds] = [2e9, 55]
const [dearest, second, third] = dearFormulas().map(({ text, nanoseconds }) => ({
  text,
  nanoseconds,
  seconds: nanoseconds * mostValues * 1e-9,
}))
for (const { text, nanoseconds, seconds: whole } of [dearest, second, third])
  console.log(`dear: ${text}, ${nanoseconds.toFixed(1)} ns a value, ${whole.toFixed(1)} s for the most that is admitted; ${seconds()}`)
const isBad =
  total.wrong > 0 || told.slowest > longest || dearest.seconds > mostSeconds || everyRefusal.some((code) => !told.refusals.has(code))
process.exitCode = isBad ? 1 : 0

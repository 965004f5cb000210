// A file is one idea: longer ones hold a second.
import { isCode, isSource, isTest, linesIn } from './paths.mjs'

const longestSource = 400
const longestTest = 500
/** Data, as tables of words and of numbers are. */
const data = new Set(['web/src/features/help/glossary.ts'])
const generated = /^\/\/ (Generated|Made) by /

export function size(tree) {
  const measured = tree.paths.filter(isCode).map((file) => ({ file, lines: linesIn(tree.textOf(file)) }))
  const sources = measured.filter(({ file }) => isSource(file))
  const long = sources.filter(({ file, lines }) => lines > longestSource && !data.has(file) && !generated.test(tree.textOf(file)))
  const longTests = measured.filter(({ file, lines }) => isTest(file) && lines > longestTest)
  const bySize = (some) => some.toSorted((a, b) => b.lines - a.lines).map(({ file, lines }) => ({ file, text: `${lines} lines` }))
  return [
    { name: `source files of more than ${longestSource} lines`, value: long.length, offenders: bySize(long) },
    { name: 'median lines of a source file', value: median(sources.map(({ lines }) => lines)), offenders: [] },
    { name: `test files of more than ${longestTest} lines`, value: longTests.length, offenders: bySize(longTests) },
  ]
}

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0
}

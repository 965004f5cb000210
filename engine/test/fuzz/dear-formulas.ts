import { evaluate, type FunctionArgument, functionTable } from '../../src/expression/index.ts'
import { randomPanel } from '../fixtures/random-panel.ts'
import { compiled } from './compare-formulas.ts'

/** What a function takes with the longest windows there are: admission counts values, so this says how long the most that it lets in will take. */
export interface Dear {
  readonly text: string
  /** Of the processor, for each value that admission counts. */
  readonly nanoseconds: number
}

const inputs = ['close', 'vol', 'amount', 'open', 'high']

/** The dearest that may stand in an argument's place. */
function dearest({ kind, least = 0, most, choices }: FunctionArgument, place: number): string {
  if (kind === 'series') return `(${inputs[place % inputs.length]} + ${place})`
  if (kind === 'window') return '500'
  if (kind === 'number') return String(most === undefined ? Math.max(least, 2) : Math.min(most, 100))
  if (kind === 'choice') return `'${choices?.[1] ?? choices?.[0]}'`
  return { report: 'revenue', text: "'AA'", date: 'list_date', benchmark: "'000300'", group: 'industry_1' }[kind as string] ?? 'rating'
}

/** Function by function, strict windows and such as leave absent days out; the dearest first. */
export function dearFormulas(): Dear[] {
  const panel = randomPanel(3, { days: 560, securities: 1_000, isWhole: true })
  const days = Array.from({ length: 40 }, (_, k) => 520 + k)
  const texts = functionTable
    // Three windows of 500 look back further than a formula may.
    .filter(({ name }) => name !== 'kdj_d' && name !== 'kdj_j')
    .flatMap(({ name, args, minimum }) => {
      const written = args.map(dearest).join(', ')
      return minimum ? [`${name}(${written})`, `${name}(${written}, 2)`] : [`${name}(${written})`]
    })
  return texts
    .map((text) => {
      const expression = compiled(text)
      const values = (days.length * expression.cost + panel.dates.length * expression.historyCost) * panel.securities.length
      const times = Array.from({ length: 3 }, () => {
        const before = process.threadCpuUsage()
        evaluate(expression, panel, days)
        const { user, system } = process.threadCpuUsage(before)
        return user + system
      })
      return { text, nanoseconds: (Math.min(...times) * 1_000) / Math.max(values, panel.securities.length * days.length) }
    })
    .sort((a, b) => b.nanoseconds - a.nanoseconds)
}

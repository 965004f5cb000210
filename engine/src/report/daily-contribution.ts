import type { Report } from '@convexa/contract'
import type { Panel } from '../panel/panel.ts'
import type { Ledger } from '../simulation/ledger.ts'

/** What one security added to the value of a run on one day, costs included; `security` is its index in the panel. */
export interface DayGain {
  readonly security: number
  /** Yuan. */
  readonly value: number
}

/**
 * By day of the run: what each security that was held or traded added, in the order of their codes. It is the change of its value
 * plus what its sales and its interest brought less what its purchases cost, so the gains of a day sum to the change of equity.
 */
export function dailyGains(ledger: Ledger, panel: Panel): DayGain[][] {
  const { positions, fills, payouts, first, equity } = ledger
  const close = panel.columns.get('close') as Float64Array
  const change = new Float64Array(panel.securities.length)
  const touched: number[] = []
  const seen = new Uint8Array(panel.securities.length)
  const add = (security: number, value: number) => {
    if (seen[security] === 0) {
      seen[security] = 1
      touched.push(security)
    }
    change[security] += value
  }
  const addValues = (day: number, sign: number) => {
    const row = (first + day) * panel.stride
    for (let at = positions.from[day]; at < positions.to[day]; at++) {
      add(positions.security[at], sign * positions.units[at] * positions.priceAt(at, close, row))
    }
  }
  let f = 0
  let p = 0
  return Array.from(equity, (_, day) => {
    if (day > 0) addValues(day - 1, -1)
    addValues(day, 1)
    for (; f < fills.length && fills.day[f] === first + day; f++) {
      add(fills.security[f], fills.sold[f] === 1 ? fills.amount[f] - fills.fee[f] : -(fills.amount[f] + fills.fee[f]))
    }
    for (; p < payouts.length && payouts[p].day === first + day; p++) add(payouts[p].security, payouts[p].amount)
    touched.sort((a, b) => a - b)
    const gains = touched.map((security) => ({ security, value: change[security] }))
    for (const security of touched) {
      change[security] = 0
      seen[security] = 0
    }
    touched.length = 0
    return gains
  })
}

/** Entries of all days together; of more, each day has its largest and one entry for all others. */
const mostEntries = 1_000_000

/** Step of the contributions: a billionth of the starting capital. */
const step = 1e-9

/**
 * Contributions by day as shares of the starting capital, in steps of a billionth. What rounding leaves of a day goes to its
 * largest, so the values of all days sum to the net value less 1, to the step. The code '' stands for all others together.
 */
export function dailyContribution(
  gains: readonly (readonly DayGain[])[],
  ledger: Pick<Ledger, 'equity' | 'capital' | 'first'>,
  panel: Panel,
): Report['daily_contribution'] {
  const { equity, capital, first } = ledger
  const perDay = Math.max(50, Math.floor(mostEntries / gains.length))
  const indexOf = new Int32Array(panel.securities.length).fill(-1)
  const codes: string[] = []
  let others = -1
  const days = gains.map((all, day) => {
    const listed = all.length > perDay ? largest(all, perDay) : all
    const code_index = listed.map(({ security }) => {
      if (indexOf[security] < 0) indexOf[security] = codes.push(panel.securities[security].code) - 1
      return indexOf[security]
    })
    const steps = listed.map(({ value }) => inSteps(value / capital))
    const wanted = inSteps(equity[day] / capital) - (day === 0 ? Math.round(1 / step) : inSteps(equity[day - 1] / capital))
    const left = steps.reduce((rest, value) => rest - value, wanted)
    if (listed.length < all.length) {
      if (others < 0) others = codes.push('') - 1
      code_index.push(others)
      steps.push(left)
    } else if (left !== 0 && steps.length > 0) steps[indexOfLargest(steps)] += left
    return { date: panel.dates[first + day], code_index, value: steps.map((value) => value / 1e9) }
  })
  return { codes, days }
}

const inSteps = (share: number): number => Math.round(share / step)

function largest(gains: readonly DayGain[], count: number): DayGain[] {
  return [...gains].sort((a, b) => Math.abs(b.value) - Math.abs(a.value) || a.security - b.security).slice(0, count)
}

function indexOfLargest(values: readonly number[]): number {
  let best = 0
  for (let k = 1; k < values.length; k++) if (Math.abs(values[k]) > Math.abs(values[best])) best = k
  return best
}

/** Net value of the run had the gains and losses of some securities not been: their places stay, their money lies idle. */
export function navWithout(
  gains: readonly (readonly DayGain[])[],
  { equity, capital }: Pick<Ledger, 'equity' | 'capital'>,
  without: ReadonlySet<number>,
): Float64Array {
  const nav = new Float64Array(equity.length)
  let value = 1
  for (let day = 0; day < nav.length; day++) {
    const before = day === 0 ? capital : equity[day - 1]
    let gain = equity[day] - before
    for (const one of gains[day]) if (without.has(one.security)) gain -= one.value
    if (before !== 0) value *= 1 + gain / before
    nav[day] = value
  }
  return nav
}

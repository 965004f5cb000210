import { dayNumber, type Panel, quarterOf, type Security } from '@convexa/engine'
import type { Expected, ExpectedSecurity } from './expectation.ts'

const mostTold = 4

/** What a loaded market has otherwise than it was said to be, cell by cell; a few of each kind. */
export function differences(expected: Expected, panel: Panel): string[] {
  const { days, securities, fields } = expected
  const codes = panel.securities.map(({ code }) => code)
  const wanted = securities.map(({ code }) => code)
  if (codes.join() !== wanted.join()) return [`securities ${codes.join(' ')}, not ${wanted.join(' ')}`]
  if (panel.dates.join() !== days.join()) return [`days ${around(panel.dates)}, not ${around(days)}`]
  const faults = securities.flatMap((security, i) => {
    const seen = panel.securities[i]!
    return (['name', 'stockCode', 'listed', 'delisted', 'lastDay'] as const).flatMap((key) =>
      seen[key] === security[key] ? [] : [`${security.code} ${key} ${seen[key]}, not ${security[key]}`],
    )
  })
  faults.push(...securities.flatMap((security, i) => paymentFaults(security, panel.securities[i]!)))
  faults.push(...securities.flatMap((security, i) => versionFaults(security, i, panel)))
  faults.push(...securities.flatMap((security, i) => callFaults(security, panel.securities[i]!)))
  const cells: string[] = []
  const at = (t: number, i: number) => `${wanted[i]} ${days[t]}`
  for (let t = 0; t < days.length; t++) {
    for (let i = 0; i < securities.length; i++) {
      const cell = t * panel.stride + i
      const isListed = expected.isListed(t, i)
      // Days before a first row that is no listing are nobody's matter.
      if (isListed && panel.listed[cell] !== 1) cells.push(`${at(t, i)} is not listed`)
      if (!isListed && panel.traded[cell] === 1) cells.push(`${at(t, i)} trades outside its window`)
      if (isListed && (panel.traded[cell] === 1) !== expected.isTraded(t, i))
        cells.push(`${at(t, i)} ${expected.isTraded(t, i) ? 'does not trade' : 'trades'}`)
    }
  }
  for (const field of fields) {
    const column = panel.columns.get(field)
    securities.forEach((_, i) => {
      let level: number | null = null
      for (let t = 0; t < days.length; t++) {
        const value = expected.value(field, t, i)
        const seen = column?.[t * panel.stride + i] ?? Number.NaN
        if (value === null) continue
        if (!expected.isStepwise(field)) {
          if (!isSame(seen, value, precision)) cells.push(`${field} of ${at(t, i)} is ${seen}, not ${value}`)
          continue
        }
        if (value !== value && seen !== seen) continue
        level ??= seen / value
        if (!isSame(seen, value * level, stepPrecision))
          cells.push(`${field} of ${at(t, i)} is ${seen / level} on the level of the first, not ${value}`)
      }
    })
  }
  return [...faults.slice(0, mostTold), ...cells.slice(0, mostTold), ...(cells.length > mostTold ? [`… ${cells.length} cells`] : [])]
}

/** Versions of statements: of which quarter, when published, with which numbers. */
function versionFaults({ code, versions }: ExpectedSecurity, i: number, { reports }: Panel): string[] {
  const text = (list: readonly (readonly (number | string)[])[]) => list.map((each) => each.join(' ')).join(', ')
  const keys = ['revenue', 'np_parent', 'equity_parent']
  const [from, to] = [reports?.starts[i] ?? 0, reports?.starts[i + 1] ?? 0]
  const seen = Array.from({ length: to - from }, (_, k) => [
    ...[reports!.quarters[from + k]!, reports!.published[from + k]!],
    ...keys.map((key) => (reports!.items.get(key)?.[from + k] ?? Number.NaN).toFixed(4)),
  ])
  const wanted = versions.map(({ period, published, items }) => [
    ...[quarterOf(period), dayNumber(published)],
    ...keys.map((key) => items[key]!.toFixed(4)),
  ])
  return text(seen) === text(wanted) ? [] : [`${code} published ${text(seen) || 'nothing'}, not ${text(wanted) || 'nothing'}`]
}

function paymentFaults({ code, paid }: ExpectedSecurity, { exDays = [] }: Security): string[] {
  const text = (list: readonly { date: string; cash: number; ratio: number }[]) =>
    list.map(({ date, cash, ratio }) => `${date} ${cash.toFixed(4)} ${ratio.toFixed(4)}`).join(', ')
  const [seen, wanted] = [text(exDays), text(paid ?? [])]
  return seen === wanted ? [] : [`${code} pays ${seen || 'nothing'}, not ${wanted || 'nothing'}`]
}

function callFaults({ code, called }: ExpectedSecurity, { announcements = [], exitReason, lastDayKnown }: Security): string[] {
  if (called === null) return []
  const [seen, wanted] = [announcements.map(({ date }) => date).join(' '), called.days.join(' ')]
  return [
    ...(seen === wanted ? [] : [`${code} is called on ${seen || 'no day'}, not ${wanted || 'on one'}`]),
    ...(exitReason === called.reason ? [] : [`${code} left: ${exitReason}, not ${called.reason}`]),
    ...(lastDayKnown === called.known ? [] : [`${code}: its end was known from ${lastDayKnown} on, not ${called.known}`]),
  ]
}

/** Units are moved by powers of ten, which costs the last bit at most. */
const precision = 1e-12
/** Factors of the truth have six decimals; those that are worked out have all. */
const stepPrecision = 3e-6
const isSame = (seen: number, value: number, ease: number): boolean =>
  value !== value ? seen !== seen : Math.abs(seen - value) <= ease * Math.abs(value)

const around = (list: readonly string[]) => `${list.length} from ${list[0]} to ${list.at(-1)}`

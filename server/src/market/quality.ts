import type { Finding, Quality } from '../db/tables/quality.ts'

/** A year: a day that is corrected later than that counts what was found in it once more. */
const mostDays = 250
const mostExamples = 5

/** What the checks found in the rows of a day, or in the statements that came with it. */
export interface Found extends Pick<Quality, 'quarantined' | 'findings'> {
  readonly of: 'rows' | 'statements'
}

const partOf = (date: string, of: Found['of']): string => (of === 'rows' ? date : `${date} ${of}`)

/** What was found so far with what a day adds to it, in the place of what the same part of it had added before. */
export function withFound(quality: Quality, date: string, { of, quarantined, findings }: Found): Quality {
  const part = partOf(date, of)
  const { [part]: before = { quarantined: 0, findings: [] }, ...others } = quality.ofDays ?? {}
  const counts = findings.map(({ check, level, count }) => ({ check, level, count }))
  const all = counts.length > 0 ? { ...others, [part]: { quarantined, findings: counts } } : others
  return {
    ...quality,
    quarantined: (quality.quarantined ?? 0) - before.quarantined + quarantined,
    findings: merged(without(quality.findings, before.findings), findings),
    ofDays: Object.fromEntries(
      Object.entries(all)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .slice(-mostDays),
    ),
  }
}

type Counted = Pick<Finding, 'check' | 'level' | 'count'>
const isSame = (a: Counted, b: Counted): boolean => a.check === b.check && a.level === b.level

const without = (all: readonly Finding[], gone: readonly Counted[]): Finding[] =>
  all
    .map((finding) => ({ ...finding, count: finding.count - (gone.find((one) => isSame(one, finding))?.count ?? 0) }))
    .filter(({ count }) => count > 0)

/** Merges two findings; the newest examples come first. */
function merged(before: readonly Finding[], now: readonly Finding[]): Finding[] {
  const all = [...before]
  for (const finding of now) {
    const k = all.findIndex((one) => isSame(one, finding))
    const known = all[k]
    if (known === undefined) all.push(finding)
    else {
      const examples = [...new Set([...finding.examples, ...known.examples])].slice(0, mostExamples)
      all[k] = { ...finding, count: known.count + finding.count, examples }
    }
  }
  return all
}

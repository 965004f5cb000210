import type { Adjust } from './manifest.ts'

/** What an import found: stored with the snapshot, shown by `convexa market` and on the page. Texts are Chinese sentences. */
export interface Quality {
  readonly rows: number
  /** Rows inside listing windows, the base of the 0.5 % rule. */
  readonly listedRows: number
  readonly securities: number
  readonly firstDate: string
  readonly lastDate: string
  readonly adjust: Adjust
  readonly preset: string
  readonly source: readonly string[]
  readonly quarantined: number
  readonly findings: readonly Finding[]
  readonly notes: readonly string[]
  /** What single days have in `quarantined` and `findings`, so that a day which is said anew counts once: by `partOf`, the newest of them. */
  readonly ofDays?: Readonly<Record<string, DayFound>>
}

/** What the checks found in a day, without rows of the data. */
interface DayFound {
  readonly quarantined: number
  readonly findings: readonly Pick<Finding, 'check' | 'level' | 'count'>[]
}

export interface Finding {
  readonly check: string
  /** fault: refuses the batch; quarantine: the rows were left out; warning: kept and told. */
  readonly level: 'fault' | 'quarantine' | 'warning'
  readonly count: number
  readonly text: string
  readonly examples: readonly string[]
}

/** A finding as it stands beside a day's step: without rows of the data. */
export type StoredFinding = Pick<Finding, 'check' | 'level' | 'count' | 'text'>

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

/** Both together; the newest examples first. */
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

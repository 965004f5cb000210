import { type Report, reportParts } from '@convexa/contract'
import { type CoreMembers, type DailySeries, dailyMembers } from '@convexa/engine'
import type { CoreOfReport, RunAgain, StoredReport } from '../context/compute.ts'
import { coreReportOf, decodeCore, encodeCore } from '../run-core/core-format.ts'
import { ownMembers } from '../run-core/own-members.ts'
import { sparkOf } from '../run-core/spark.ts'
import type { Outcome } from './protocol.ts'
import { type Again, simulatedAgain, storedReportOf } from './run-again.ts'

// A run from before there were cores holds its whole report. Where the run, simulated again, has the same days, a core gives the same report.

/** The core of such a report; null: the run comes out otherwise than its report says. */
export function coreOfReport(
  run: Pick<RunAgain, 'id' | 'rule' | 'settings'>,
  stored: StoredReport,
  again: Again,
): Outcome<CoreOfReport | null> {
  const report = storedReportOf(stored)
  const found = simulatedAgain(run, again)
  if (!found.ok) return found
  const making = found.value.run.core()
  let made = making.next()
  while (!made.done) made = making.next()
  const { series } = made.value
  if (!isSame(report, series)) return { ok: true, value: null }
  const core = encodeCore(membersOf(report), series)
  // What a reader would now get of it.
  if (!isSame(coreReportOf(decodeCore(core)), series)) return { ok: true, value: null }
  const { ledger } = found.value
  return {
    ok: true,
    value: { core: core.toString('base64'), ledger: ledger.toString('hex'), spark: Buffer.from(sparkOf(series.nav)).toString('base64') },
  }
}

/** Without what daily values and the ledger give. */
function membersOf(report: Partial<Report>): CoreMembers {
  const dropped: ReadonlySet<string> = new Set([...dailyMembers, ...reportParts, ...ownMembers])
  return Object.fromEntries(Object.entries(report).filter(([name]) => !dropped.has(name))) as unknown as CoreMembers
}

/** Whether every daily value is the same double; JSON has null for NaN. */
function isSame({ curves, gross_nav: grossNav }: Partial<Report>, series: DailySeries): boolean {
  if (!curves || !grossNav || curves.dates.join() !== series.dates.join()) return false
  const pairs: readonly (readonly [readonly (number | null)[], Float64Array])[] = [
    [curves.nav, series.nav],
    [curves.bench, series.bench],
    [curves.turnover, series.turnover],
    [curves.hold_count, series.holdCount],
    [curves.exposure, series.exposure],
    [curves.cost, series.cost],
    [grossNav, series.grossNav],
  ]
  return pairs.every(([said, made]) => said.length === made.length && said.every((value, day) => isSameValue(value, made[day]!)))
}

const isSameValue = (said: number | null, made: number): boolean => (said === null ? Number.isNaN(made) : said === made)

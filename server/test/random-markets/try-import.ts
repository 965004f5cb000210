/**
 * One random market from its seed: written, imported, and compared with what was said of it beforehand; then once more as an import and
 * updates at random cuts, which must come to the same market.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Panel } from '@convexa/engine'
import type { Kysely } from 'kysely'
import type { Database } from '../../src/db/tables.ts'
import { Random } from '../../src/market/demo/random.ts'
import { type ImportReport, importMarket } from '../../src/market/import.ts'
import { loadPanel } from '../../src/market/panels.ts'
import { marketFolder, snapshotPath } from '../../src/market/snapshot.ts'
import { besideFiles, makePublications, type Publication } from './beside-tables.ts'
import { type BondTables, bondFiles, makeBondTables } from './bond-tables.ts'
import { differences } from './differences.ts'
import { dividendBytes } from './dividend-table.ts'
import type { WrittenFile } from './encode.ts'
import { type Expected, expect } from './expectation.ts'
import { chooseHeaders, mappingOf, writeFiles } from './files.ts'
import { type Line, type Lines, writeLines } from './lines.ts'
import { chooseShape, isOfRow, type Shape, shapeText } from './shape.ts'
import { type Gaps, isRawMarket, makeGaps } from './source.ts'
import { makeTruth, type Truth } from './truth.ts'

export interface Ground {
  readonly db: Kysely<Database>
  readonly dataDir: string
}

export interface Trial {
  readonly seed: number
  readonly shape: Shape
  readonly truth: Truth
  readonly written: Lines
  readonly expected: Expected
  /** Null where a preset reads the files. */
  readonly mapping: object | null
  readonly files: readonly WrittenFile[]
  /** The files of an import and of updates that together have the same lines. */
  readonly parts: readonly (readonly WrittenFile[])[]
}

export interface Outcome {
  readonly seed: number
  readonly text: string
  readonly verdict: Expected['verdict']
  /** What is wrong, in words; empty where all is as it must be. */
  readonly faults: readonly string[]
  /** Whether import and updates were compared. */
  readonly isCut: boolean
  readonly hasStack: boolean
}

export function makeTrial(seed: number): Trial {
  const random = new Random(seed, 'random markets')
  const shape = chooseShape(random)
  const truth = makeTruth(random, shape.telling)
  const gaps = makeGaps(random, truth, shape)
  const written = writeLines(random, truth, shape, gaps, truth.days.length)
  const headers = chooseHeaders(random, shape)
  const publications = shape.beside?.hasStatements ? makePublications(random, truth) : []
  const ofBonds = new Random(seed, 'tables beside bonds')
  const bonds: BondTables | null =
    shape.kind === 'cb' && shape.slip === 'none' && ofBonds.chance(0.6) ? makeBondTables(ofBonds, truth) : null
  const expected = expect(truth, shape, written, { headers, gaps, publications, bonds })
  const dayAt = (t: number) => truth.days[Math.min(t, truth.days.length) - 1]!
  const write = (lines: Lines['lines'], stem: string, [from, until]: Days, has: (publication: Publication) => boolean) => [
    ...writeFiles(random, shape, truth, headers, lines, stem),
    ...(shape.dividends ? [{ name: 'dividends/plans.csv', bytes: dividendBytes(random, shape.dividends, truth, until) }] : []),
    ...(bonds ? bondFiles(ofBonds, bonds, truth, { from: from === 0 ? null : dayAt(from), to: dayAt(until), has }) : []),
    ...(shape.beside ? besideFiles(random, { ...shape, beside: shape.beside }, truth, publications, has) : []),
  ]
  const files = write(written.lines, 'market', [0, truth.days.length], () => true)
  const cuts = cutIntoParts(random, { shape, truth, gaps, written })
  // What was published of a share goes into the first part that has rows of it.
  const partOf = ({ i, t }: Publication) =>
    cuts.findIndex(({ to }) => t < to && truth.securities[i]!.rows.some((row, day) => row !== null && day < to))
  const parts = cuts.map(({ lines, to }, k) => write(lines, `part${k}`, [cuts[k - 1]?.to ?? 0, to], (each) => partOf(each) === k))
  return { seed, shape, truth, written, expected, mapping: mappingOf(headers, shape), files, parts }
}

/** Places of days: a part of the lines has those behind the first, up to the second. */
type Days = readonly [from: number, until: number]

interface Source {
  readonly shape: Shape
  readonly truth: Truth
  readonly gaps: Gaps
  readonly written: Lines
}

/**
 * Lines of an import and of up to three updates; some of them say days again that were said before. Of adjusted prices an update must meet
 * every share on a day that is stored.
 */
function cutIntoParts(random: Random, { shape, truth, gaps, written }: Source): { lines: readonly Line[]; to: number }[] {
  const { days, securities } = truth
  // Adjusted prices need days that both parts have.
  if (shape.slip !== 'none') return isOfRow(shape.slip) && shape.prices === 'raw' ? cutWithSlip(random, shape, truth, written) : []
  if (!random.chance(0.7)) return []
  const count = random.whole(1, Math.min(3, days.length - 8))
  const cuts = [...new Set(Array.from({ length: count }, () => random.whole(6, days.length - 1)))].sort((a, b) => a - b)
  const isAdjusted = !isRawMarket(shape, truth)
  const bounds = [0, ...cuts].map((from, k, all) => {
    const again = k === 0 ? 0 : isAdjusted ? random.whole(1, 4) : random.chance(0.4) ? random.whole(1, 3) : 0
    return { cut: from, from: from - again, to: all[k + 1] ?? days.length }
  })
  const meets = ({ cut, from, to }: { cut: number; from: number; to: number }) =>
    securities.every(({ rows }) => {
      const has = (low: number, high: number) => rows.some((row, t) => row !== null && t >= low && t < high)
      return !has(0, cut) || !has(cut, to) || has(from, cut)
    })
  if (isAdjusted && !bounds.slice(1).every(meets)) return []
  return bounds.map(({ from, to }, k) => {
    // A source that gives raw prices by a factor says them on the base of its own newest day.
    const until = isAdjusted ? days.length : to
    const lines = writeLines(random, truth, shape, gaps, until).lines.filter(({ t }) => t >= from && t < to)
    const corrected = bounds.slice(k + 1).filter((later) => later.from < to)
    return {
      to,
      lines: lines.map((line) => (corrected.some((later) => line.t >= later.from) ? withOldNumbers(random, shape, line) : line)),
    }
  })
}

/**
 * A faulty row is put aside in whichever part it stands, and the rows behind it are judged across the cut: two parts, each with so many
 * rows that one of them is not too many.
 */
function cutWithSlip(
  random: Random,
  { slip }: Shape,
  { days }: Truth,
  { lines, slipped }: Lines,
): { lines: readonly Line[]; to: number }[] {
  const leastOfPart = slip === 'different double' ? 401 : 201
  const before = (cut: number) => lines.filter(({ t }) => t < cut).length
  const cuts = days.flatMap((_, t) => (t > 8 && before(t) >= leastOfPart && lines.length - before(t) >= leastOfPart ? [t] : []))
  if (cuts.length === 0 || slipped === null) return []
  // Often right behind it.
  const near = cuts.filter((t) => t > slipped.t && t <= slipped.t + 2)
  const cut = near.length > 0 && random.chance(0.5) ? near[0]! : cuts[random.whole(0, cuts.length - 1)]!
  return [
    { to: cut, lines: lines.filter(({ t }) => t < cut) },
    { to: days.length, lines: lines.filter(({ t }) => t >= cut) },
  ]
}

/** A line as it was before it was corrected: numbers that no check compares are others. */
function withOldNumbers(random: Random, { kind }: Shape, line: Line): Line {
  const cells = { ...line.cells }
  for (const field of kind === 'stk' ? ['pb', 'total_mv'] : ['ytm']) {
    if (/^\d/.test(cells[field] ?? '') && random.chance(0.5)) cells[field] = `1${cells[field]!.replaceAll(',', '')}`
  }
  return { ...line, cells }
}

export async function tryImport(deps: Ground, trial: Trial): Promise<Outcome> {
  const { seed, shape, expected, files, parts } = trial
  const faults: string[] = []
  let hasStack = false
  const guarded = async (what: string, run: () => Promise<void>) => {
    try {
      await run()
    } catch (error) {
      hasStack = true
      faults.push(`${what}: ${(error as Error).stack?.split('\n').slice(0, 3).join(' ')}`)
    }
  }
  let whole: ImportReport | null = null
  await guarded('import', async () => {
    const report = await importFiles(deps, trial, files, false)
    faults.push(...judgeReport(report, expected))
    if (!report.ok || expected.verdict === 'refused') return
    whole = report
    faults.push(...differences(expected, await panelOf(deps, report)))
  })
  const isCut = parts.length > 0 && whole !== null && faults.length === 0
  if (isCut) {
    await guarded('updates', async () => {
      await clear(deps)
      let last: ImportReport | null = null
      const reports: ImportReport[] = []
      for (const [k, part] of parts.entries()) {
        if (part.length === 0) continue
        last = await importFiles(deps, trial, part, k > 0)
        if (!last.ok) faults.push(`${k === 0 ? 'first part' : `update ${k}`} refused: ${firstFault(last)}`)
        if (!last.ok) return
        reports.push(last)
      }
      faults.push(...differences(expected, await panelOf(deps, last!)).map((text) => `after updates: ${text}`))
      faults.push(...warningFaults(last!, expected, ofOneFile).map((text) => `after updates: ${text}`))
      const [once, inParts] = [asideIn([whole!]), asideIn(reports)]
      if (once !== inParts) faults.push(`after updates rows are put aside as ${inParts || 'nothing'}, not ${once || 'nothing'}`)
    })
  }
  await clear(deps)
  return { seed, text: shapeText(shape), verdict: expected.verdict, faults, isCut, hasStack }
}

/** Rows that were put aside, by what is wrong with them. */
function asideIn(reports: readonly ImportReport[]): string {
  const counts = new Map<string, number>()
  for (const { check, level, count } of reports.flatMap(({ quality }) => quality.findings))
    if (level === 'quarantine') counts.set(check, (counts.get(check) ?? 0) + count)
  return [...counts]
    .sort()
    .map(([check, count]) => `${check} ${count}`)
    .join(', ')
}

async function importFiles(
  { db, dataDir }: Ground,
  { shape, mapping }: Trial,
  files: readonly WrittenFile[],
  onto: boolean,
): Promise<ImportReport> {
  const folder = join(dataDir, 'files')
  await rm(folder, { recursive: true, force: true })
  for (const { name, bytes } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
  const path = join(dataDir, 'mapping.json')
  await writeFile(path, JSON.stringify(mapping))
  return importMarket({ kind: shape.kind, paths: [folder], ...(mapping && { mapping: path }), dataDir, db, onto })
}

const panelOf = ({ dataDir }: Ground, report: ImportReport): Promise<Panel> =>
  loadPanel(snapshotPath(dataDir, report.snapshot!), null, 'all')

async function clear({ db, dataDir }: Ground): Promise<void> {
  await db.deleteFrom('market_snapshot').execute()
  await rm(marketFolder(dataDir), { recursive: true, force: true })
}

function judgeReport(report: ImportReport, expected: Expected): string[] {
  if (expected.verdict === 'read' && !report.ok) return [`refused what must be read: ${firstFault(report)}`]
  if (expected.verdict === 'refused' && report.ok) return [`read what must be refused (${report.quality.quarantined} rows aside)`]
  const missing = expected.mentions.filter((words) => !words.split('|').some((word) => report.text.includes(word)))
  if (report.ok && report.quality.adjust !== expected.adjust) return [`prices are ${report.quality.adjust}, not ${expected.adjust}`]
  const faults = missing.map((word) => `the report does not name ${JSON.stringify(word)}: ${firstFault(report)}`)
  if (report.ok && report.quality.quarantined !== expected.quarantined)
    faults.push(`${report.quality.quarantined} rows aside, not ${expected.quarantined}: ${firstFault(report)}`)
  return [...faults, ...warningFaults(report, expected)]
}

/** Warnings that count rows of the file, of which the last of several updates has few. */
const ofOneFile: ReadonlySet<string> = new Set(['before_listing'])

/** Warnings that count otherwise than they must, or are there and must not be. */
function warningFaults({ ok, quality }: ImportReport, { warnings }: Expected, unasked: ReadonlySet<string> = new Set()): string[] {
  if (!ok) return []
  return [...warnings].flatMap(([check, wanted]) => {
    if (unasked.has(check)) return []
    const found = quality.findings.filter((each) => each.check === check)
    const seen = found.reduce((sum, { count }) => sum + Math.max(1, count), 0)
    const isWarning = found.every(({ level }) => level === 'warning')
    return seen === wanted && isWarning ? [] : [`the warning ${check} counts ${seen}, not ${wanted}: ${found[0]?.examples[0] ?? ''}`]
  })
}

/** The first thing that a report finds wrong, in one line. */
const firstFault = ({ quality, text }: ImportReport): string => {
  const found = quality.findings.filter(({ level }) => level !== 'warning')
  return found.length === 0 ? text.split('\n')[0]! : found.map((each) => `${each.text} ${each.examples[0] ?? ''}`).join('; ')
}

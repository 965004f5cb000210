/**
 * Imports a market file. Nothing that readers see changes before the last step:
 *
 * 1. open the files, find out how to read them (preset by columns, or a mapping)
 * 2. read rows, judge them; a broken file or more than 0.5 % of faulty rows refuses the batch
 * 3. arrange: grid, listing windows, last days; companions; call clause; market series
 * 4. judge the days; write aside, flush, rename, publish by one row
 */

import { basename } from 'node:path'
import { adjustments } from '@convexa/contract/enums/adjust'
import type { Kysely } from 'kysely'
import type { Finding, Quality } from '../db/tables/quality.ts'
import type { Database } from '../db/tables.ts'
import { ownBenchmarks } from './benchmark.ts'
import { keptChanges } from './code-changes.ts'
import { codesWithoutBase } from './import/adjusted-seam.ts'
import { type Arranged, addCompanions, arrange } from './import/arrange.ts'
import { type Batch, batchesOf } from './import/batches.ts'
import { addBondCalls, addBondTerms, addRevisions } from './import/bond-calls.ts'
import { absentColumns, emptyCells, heldColumns } from './import/column-notes.ts'
import { type Companions, readCompanions } from './import/companions.ts'
import { judgeDays } from './import/day-checks.ts'
import { addDividends, dividendsNote } from './import/dividends.ts'
import { withoutEndedRows } from './import/ended-rows.ts'
import { firstFactors, rowsBefore } from './import/first-rows.ts'
import { withoutForeignCodes } from './import/foreign-codes.ts'
import { judgeRows, quarantineLimit } from './import/judge-rows.ts'
import { windowsOf } from './import/list-windows.ts'
import { Mapping, usualEndsAfter } from './import/mapping.ts'
import { mergeIndices } from './import/merge-indices.ts'
import {
  type Changes,
  changesOf,
  companionsWith,
  joinRows,
  readStored,
  reportsFor,
  type Stored,
  withStored,
} from './import/merge-into-market.ts'
import { missingDaysOf } from './import/missing-days.ts'
import { settleSeam } from './import/no-trade.ts'
import { withoutOtherBonds } from './import/other-bond-rows.ts'
import { preparePrices, withFactors } from './import/prices.ts'
import { readRows } from './import/read-rows.ts'
import { keepFormerCodes, type Renames, renameCompanions, renameRows, renameStored, renamesUpTo } from './import/renames.ts'
import { reportText } from './import/report-text.ts'
import { shareEndsIn } from './import/share-ends.ts'
import { ImportFileError, sha256OfFile } from './import/source-file.ts'
import { judgeSpans } from './import/span-checks.ts'
import { mergedReports, readStatements, statementsNote } from './import/statements.ts'
import { judgeUnits } from './import/unit-checks.ts'
import { type Adjust, importer, type Manifest, olderImporterNote, type SnapshotKind } from './manifest.ts'
import { marketOf, rulesOf } from './market-rules.ts'
import { newestSnapshot, publish, retain, type Snapshot, StaleSnapshotError } from './snapshot.ts'
import type { MarketTable, MissingDays } from './store.ts'

/** `percent` never falls; `text` is a Chinese sentence for a terminal or a page. */
interface ImportProgress {
  readonly stage: 'read' | 'check' | 'arrange' | 'write' | 'publish'
  readonly percent: number
  readonly text: string
}

export interface ImportRequest {
  readonly kind: SnapshotKind
  /** Files or folders. */
  readonly paths: readonly string[]
  /** A preset's name; chosen by the columns when neither it nor a mapping is given. */
  readonly preset?: string
  /** Path of a mapping file (JSON). */
  readonly mapping?: string
  /** Trading days without a row after which a share has left (`ends_after`), in place of the mapping's. */
  readonly endsAfter?: number
  /** Put onto what is loaded: new days behind it, known rows in the place of the old ones. The whole market is in the file when not. */
  readonly onto?: boolean
  readonly dataDir: string
  readonly db: Kysely<Database>
  readonly onProgress?: (progress: ImportProgress) => void
  /** Called when all that is left is to publish; if it throws, nothing is. */
  readonly beforePublishing?: () => void
}

/** `ok: false`: nothing was published, the old snapshot stays. `text` is the whole report in Chinese, line by line. */
export type ImportReport =
  | { readonly ok: true; readonly snapshot: Snapshot; readonly unchanged: boolean; readonly quality: Quality; readonly text: string }
  | { readonly ok: false; readonly snapshot: null; readonly unchanged: false; readonly quality: Quality; readonly text: string }

/** Imports a market file. A bad file changes nothing; what is wrong with it is in the report. */
export async function importMarket(request: ImportRequest): Promise<ImportReport> {
  const { kind, db, dataDir } = request
  const say = (stage: ImportProgress['stage'], percent: number, text: string) => request.onProgress?.({ stage, percent, text })
  let prepared: Prepared
  try {
    prepared = await prepare(request, say)
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error
    const fault: Finding = { check: error.check, level: 'fault', count: 0, text: error.message, examples: [] }
    const quality = { ...nothing, source: request.paths.map((path) => basename(path)), findings: [fault] }
    return refused(kind, quality)
  }
  const { table, quality, refuse } = prepared
  if (refuse) return refused(kind, quality)
  say('write', 60, '正在写入数据文件')
  const published = await publish({
    db,
    dataDir,
    table,
    mode: 'imported',
    adjust: quality.adjust,
    source: prepared.source,
    reading: { importer: prepared.importer, mapping: prepared.mapping, ...prepared.carried },
    quality,
    ...(prepared.onto && { onto: prepared.onto }),
    ...(request.beforePublishing && { beforePublishing: request.beforePublishing }),
    onProgress: (done, total) => say('write', 60 + Math.floor((38 * done) / total), '正在写入数据文件'),
  }).catch((error: unknown) => {
    if (error instanceof StaleSnapshotError) return null
    throw error
  })
  if (!published) return refused(kind, { ...quality, findings: [...quality.findings, overtaken] })
  const { snapshot, unchanged } = published
  await retain(db, dataDir)
  say('publish', 100, '导入完成')
  return { ok: true, snapshot, unchanged, quality, text: reportText(kind, quality, { version: snapshot.dataVersion, unchanged }) }
}

const overtaken: Finding = { check: 'onto', level: 'fault', count: 0, text: '其间发布了新的一版行情，请再执行一次', examples: [] }

const nothing: Quality = {
  rows: 0,
  listedRows: 0,
  securities: 0,
  firstDate: '',
  lastDate: '',
  adjust: 'raw',
  preset: '未识别',
  source: [],
  quarantined: 0,
  findings: [],
  notes: [],
}

const refused = (kind: SnapshotKind, quality: Quality): ImportReport => ({
  ok: false,
  snapshot: null,
  unchanged: false,
  quality,
  text: reportText(kind, quality, null),
})

interface Prepared {
  readonly table: MarketTable
  readonly quality: Quality
  readonly source: { readonly preset: string; readonly files: { name: string; bytes: number; sha256: string }[] }
  /** Id of the snapshot that the files were put onto. */
  readonly onto: string | null
  /** What the next file goes on from. */
  readonly carried: Pick<Manifest, 'unused' | 'aside' | 'factors' | 'call_lists'>
  /** How the file is read. */
  readonly mapping: Mapping
  /** Null: it goes onto a market of an older importer, whose decisions stay. */
  readonly importer: number | null
  /** A fault was found: nothing may be published. */
  readonly refuse: boolean
}

type Say = (stage: ImportProgress['stage'], percent: number, text: string) => void

async function prepare(request: ImportRequest, say: Say): Promise<Prepared> {
  const { kind } = request
  say('read', 0, '正在打开文件')
  const batches = await batchesOf(request)
  const loaded = request.onto ? await storedFor(request, batches[0]!) : null
  let stored = loaded
  const changes = (await keptChanges(request.db)).map(({ change }) => change)
  const tables: Arranged[] = []
  let endsAfter = usualEndsAfter
  let about: Companions['byCode'] = new Map()
  let renames: Renames = new Map()
  const findings: Finding[] = []
  const notes: string[] = []
  const total = { rows: 0, listedRows: 0, quarantined: 0 }
  let carried: Prepared['carried'] = {}
  let missingDays: MissingDays = {}
  let adjust: Adjust = batches[0]!.mapping.adjust
  for (const [k, { files, mapping, preset, note }] of batches.entries()) {
    const share = (percent: number) => Math.floor((50 * (k + percent)) / batches.length)
    const besideFile = await readCompanions(kind, files[0]!.path)
    const all = await readRows(kind, files, mapping, preset, (name) => say('read', share(0.1), `正在读取 ${name}`))
    const read = withoutForeignCodes(kind, withoutOtherBonds(kind, all, besideFile))
    const lastDate = [...read.dates, ...(loaded ? [loaded.manifest.last_date] : [])].reduce((a, b) => (a > b ? a : b), '')
    renames = kind === 'index' ? new Map() : renamesUpTo(changes, lastDate)
    const rows = renameRows(read, renames)
    const known = loaded && renameStored(loaded, renames)
    stored = known?.stored ?? null
    findings.push(...(known?.findings ?? []))
    say('check', share(0.6), `正在检查 ${rows.count.toLocaleString('en-US')} 行`)
    const beside = renameCompanions(besideFile, renames)
    const { inside, findings: outside } = windowsOf(rows, (code) => beside.byCode.get(code))
    const priced = preparePrices(kind, { rows, inside }, mapping.adjust, stored)
    notes.push(...priced.notes)
    adjust = priced.adjust
    const withoutBase =
      stored && marketOf(kind)?.hasAdjustmentFactor && adjustments[adjust].adjusted ? codesWithoutBase(stored, priced.rows) : null
    const companions = stored ? companionsWith(stored, beside) : beside
    const together = stored ? joinRows(stored, { rows: priced.rows, inside }) : { rows: priced.rows, inside, from: 0, reopened: undefined }
    if (stored) findings.push(...settleSeam(together.rows, together.from))
    const ended = withoutEndedRows(kind, together, companions.byCode)
    const joined = { ...together, inside: ended.inside }
    const judged = judgeRows(kind, joined.rows, { adjust }, preset, {
      ...{ inside: joined.inside, from: joined.from, isDerived: priced.isDerived },
      earlier: rowsBefore(kind, joined.rows, joined.inside, beside.byCode),
      ...(withoutBase && { withoutBase }),
      ...(joined.reopened && { reopened: joined.reopened }),
      ...(stored?.manifest.aside && { aside: stored.manifest.aside }),
      ...(stored?.manifest.factors && { factorStates: stored.manifest.factors }),
    })
    findings.push(...judged.findings, ...rows.findings, ...beside.findings, ...outside, ...ended.findings)
    total.rows += rows.count
    total.listedRows += judged.inside
    total.quarantined += judged.quarantined
    if (judged.inside === 0) throw new ImportFileError('schema', noneInside(rows.listed !== null, outside))
    const fault = judged.findings.find(({ level }) => level === 'fault')
    if (fault) throw new ImportFileError(fault.check, `${fault.text}（例如 ${fault.examples[0]}）`)
    if (judged.quarantined > quarantineLimit * judged.inside) {
      findings.push({
        check: 'too_many',
        level: 'fault',
        count: judged.quarantined,
        text: `有问题的行超过上市期内行数的 ${quarantineLimit * 100}%，整批拒绝`,
        examples: [],
      })
      const ofMinutes = findings[0]!.check === 'duplicate' ? '；可能是分钟行情，请导入日线' : ''
      if (judged.quarantined >= judged.inside)
        throw new ImportFileError('too_many', `${findings[0]!.text}：没有一行可用（例如 ${findings[0]!.examples[0]}）${ofMinutes}`)
    }
    say('arrange', share(0.8), '正在整理')
    const complete = withFactors(kind, joined.rows, judged.factors)
    endsAfter = request.endsAfter ?? mapping.ends_after ?? stored?.manifest.ends_after ?? usualEndsAfter
    const placed = { inside: joined.inside, dropped: judged.dropped }
    const table = arrange(kind, complete, placed, preset, { endsAfter, about: beside.byCode })
    const older = stored && olderImporterNote(stored.manifest)
    if (older) notes.push(`${older}。此前的日子保持原样。`)
    if (stored && isReadOtherwise(stored, mapping)) notes.push('本次的映射与导入时不同，文件按本次的映射读取。')
    if (stored) notes.push(changesNote(changesOf(stored, priced.rows, judged.dropped.subarray(joined.from))))
    notes.push(...absentColumns(kind, mapping, rows, table, stored), ...heldColumns(table), ...emptyCells(kind, rows, table))
    const factors = adjustments[adjust].adjusted ? firstFactors(kind, complete, placed) : judged.factorStates
    if (note !== null) notes.push(note)
    notes.push(...(preset?.notes ?? []))
    if (beside.files.length > 0) notes.push(`已用同目录的参考资料补充名称、上市日等：${beside.files.join('、')}。`)
    about = beside.byCode
    carried = { unused: priced.unused, aside: judged.aside, factors, call_lists: companions.callLists }
    if (beside.unreadable.length > 0)
      notes.push(`参考资料有 ${beside.unreadable.length} 行的代码或日期无法识别，未使用（${beside.unreadable[0]}）。`)
    for (const one of beside.unused) notes.push(`参考资料没有读入，上市日、退出原因等按行情文件判断：${one}。`)
    addCompanions(table, companions)
    if (marketOf(kind)?.redeemed)
      notes.push(...addBondTerms(table, companions), ...addRevisions(table), ...addBondCalls(table, companions, await shareEndsIn(request)))
    if (stored) withStored(table, stored)
    keepFormerCodes(table, renames)
    if (kind !== 'index') missingDays = missingDaysOf(stored?.missingDays ?? {}, table, joined, judged.dropped)
    tables.push(table)
  }
  const merged = kind === 'index' ? await mergeIndices(tables, request, notes) : tables[0]!
  findings.push(...judgeDays(merged, batches[0]!.preset), ...judgeUnits(merged))
  const { mapping } = batches[0]!
  findings.push(
    ...judgeSpans(merged, {
      endsAfter,
      hasListedFlags: mapping.listed !== undefined,
      isChosen: (request.endsAfter ?? mapping.ends_after) !== undefined,
      about,
    }),
  )
  const statements = kind === 'index' ? null : await readStatements(kind, request.paths, merged.securities, renames)
  if (statements) notes.push(statementsNote(statements))
  const dividends = rulesOf(kind)?.hasDividends ? await addDividends(merged, request.paths, adjust) : null
  if (dividends) notes.push(dividendsNote(dividends))
  const before = stored && reportsFor(stored, merged.securities)
  const reports = before && statements?.book ? mergedReports(before, statements.book) : (statements?.book ?? before)
  const table: MarketTable = {
    ...merged,
    benchmarks: ownBenchmarks(merged),
    ...(reports && { reports }),
    ...(rulesOf(kind)?.endsWithoutRows && { endsAfter }),
    missingDays,
  }
  const names = [...new Set(batches.map(({ preset }) => preset?.name ?? 'mapping'))]
  const all = [...batches.flatMap((batch) => batch.files), ...(statements?.files ?? []), ...(dividends?.files ?? [])]
  const quality: Quality = {
    ...total,
    securities: table.securities.length,
    firstDate: table.dates[0]!,
    lastDate: table.dates.at(-1)!,
    adjust,
    preset: batches.map(({ preset }) => preset?.label ?? '自定义映射').join('、'),
    source: all.map((file) => file.name),
    findings,
    notes,
  }
  const files: { name: string; bytes: number; sha256: string }[] = []
  for (const { name, bytes, path } of all) files.push({ name, bytes, sha256: await sha256OfFile(path) })
  const source = { preset: names.join('+'), files }
  const refuse = findings.some((finding) => finding.level === 'fault')
  const by = stored ? (stored.manifest.importer ?? null) : importer
  return { table, quality, source, onto: stored?.snapshot.id ?? null, carried, mapping: batches[0]!.mapping, importer: by, refuse }
}

/** What is loaded, for a file that goes onto it: both must speak of the same columns and prices. */
async function storedFor({ kind, db, dataDir }: ImportRequest, { preset, mapping }: Batch): Promise<Stored> {
  const snapshot = kind === 'index' ? null : await newestSnapshot(db, kind)
  if (!snapshot)
    throw new ImportFileError('onto', kind === 'index' ? '指数请用 import 导入' : '还没有行情，无法在其上更新；请先用 import 导入')
  const stored = await readStored(dataDir, snapshot)
  const { source, adjust } = stored.manifest
  const name = preset?.name ?? 'mapping'
  if (source.preset !== name)
    throw new ImportFileError('onto', `文件与已导入的行情格式不同（已导入 ${source.preset}，文件 ${name}），请用 import 重新导入`)
  // Adjusted prices may have become raw ones as they were imported.
  const asRead = stored.manifest.mapping?.['adjust'] ?? adjust
  if (asRead !== mapping.adjust) throw new ImportFileError('onto', '文件的复权方式与已导入的行情不同，请用 import 重新导入')
  return stored
}

/** Whether the file is mapped otherwise than those before; older importers did not note it. */
function isReadOtherwise({ manifest }: Stored, mapping: Mapping): boolean {
  const before = Mapping.safeParse(manifest.mapping)
  const textOf = ({ fields, attributes, ...rest }: Mapping) =>
    JSON.stringify([rest, fields, attributes].map((part) => Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))))
  return before.success && textOf(before.data) !== textOf(mapping)
}

/** @param hasFlags the file says itself who is listed; @param outside what a list beside it says otherwise */
function noneInside(hasFlags: boolean, outside: readonly Finding[]): string {
  const windowExamples = outside.map(({ examples }) => examples[0]).join('；')
  return `文件里没有一行在上市期内，请检查${hasFlags || windowExamples === '' ? '上市标记列' : `参考资料的上市日与退市日（${windowExamples}）`}`
}

function changesNote({ days, rows, numbers }: Changes): string {
  const added =
    days.length === 0 ? '没有新的交易日' : `新增 ${days.length} 个交易日（${days[0]}${days.length > 1 ? ` 至 ${days.at(-1)}` : ''}）`
  return `${added}；已有的行更正 ${rows.toLocaleString('en-US')} 行，其中 ${numbers.toLocaleString('en-US')} 个数有变化。`
}

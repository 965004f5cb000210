import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { feedLabels } from '../config/feeds.ts'
import { presetFor } from '../market/import/presets.ts'
import { readRows } from '../market/import/read-rows.ts'
import type { Rows } from '../market/import/rows.ts'
import { ImportFileError, openSource, tablesIn } from '../market/import/source-file.ts'
import { isStatements, type StatementCells, statementCells } from '../market/import/statements.ts'
import type { SnapshotKind } from '../market/manifest.ts'
import { type Asking, type Feed, FeedError } from './feed.ts'
import type { DayTable } from './rows.ts'
import { isStock } from './source/codes.ts'
import { only, tradedOnly } from './source/columns.ts'
import { publishedIn, type ReadStatement } from './source/publications.ts'
import { mayBeUnread, unreadText } from './source/readable.ts'

const label = feedLabels.file

interface Opened {
  readonly stamp: string
  readonly rows: Rows | null
}

/**
 * Parquet and CSV files that a user puts into a folder: `stk`, `cb`, `index` and `statements` below it; their columns are known by the
 * presets of imports. They are read again when one of them changed;
 * of two files with the same row the one that is later by name counts.
 */
export function file(folder: string): Feed {
  const opened = new Map<string, Opened>()

  const rowsOf = async (path: string, kind: SnapshotKind, { keep }: Asking): Promise<Rows | null> => {
    const { mtimeMs, size } = await stat(path)
    const stamp = `${mtimeMs} ${size}`
    const before = opened.get(path)
    if (before?.stamp === stamp) return before.rows
    const source = await openSource(path)
    const preset = presetFor(kind, source.columns)
    if (preset === null) throw new FeedError('shape', `${label} ${source.name} 的列不是已知的`)
    const rows = await readRows(kind, [source], preset.mapping, preset, () => {})
    opened.set(path, { stamp, rows })
    if (keep) keep({ what: `file ${source.name} sha256=${await sha256(path)}`, bytes: Buffer.alloc(0) })
    return rows
  }

  const dayOf = async (kind: SnapshotKind, date: string, codes: readonly string[] | undefined, asking: Asking): Promise<DayTable> => {
    const tables: DayTable[] = []
    for (const path of await filesIn(folder, kind)) {
      asking.signal.throwIfAborted()
      const rows = await rowsOf(path, kind, asking).catch((error: unknown) => unusable(path, error))
      if (rows) tables.push(cut(rows, date))
    }
    const table = together(date, tables)
    const wanted = codes && new Set(codes)
    if (!wanted) return table
    const suspended = table.suspended?.filter((code) => wanted.has(code))
    const unread = table.unread?.filter((code) => wanted.has(code))
    return { ...only(table, (code) => wanted.has(code)), ...(suspended && { suspended }), ...(unread && { unread }) }
  }

  return {
    name: 'file',
    label,
    offers: {
      'stock-day': async ({ date, codes }, asking) => tradedOnly(await dayOf('stk', date, codes, asking)),
      'bond-day': async ({ date, codes }, asking) => tradedOnly(await dayOf('cb', date, codes, asking)),
      'index-day': ({ date, codes }, asking) => dayOf('index', date, codes, asking),
      statements: async ({ from, to, codes }, asking) => {
        const wanted = codes && new Set(codes)
        const found: ReadStatement[] = []
        const unreadable: string[] = []
        for (const path of await filesIn(folder, 'statements')) {
          asking.signal.throwIfAborted()
          for (const { code, published: announced, unreadable: place, ...row } of await statementsOf(path, asking)) {
            const isOurs = code !== null && isStock(code) && wanted?.has(code) !== false
            if (!isOurs || (announced !== null && (announced < from || announced > to))) continue
            if (place !== null) unreadable.push(place)
            else if (Object.keys(row.items).length > 0) found.push({ code, announced, ...row })
          }
        }
        if (unreadable.length > 0) asking.tell?.(unreadText(unreadable[0]!, unreadable.length))
        return publishedIn(found, asking)
      },
    },
  }
}

async function statementsOf(path: string, { keep }: Asking): Promise<readonly StatementCells[]> {
  try {
    const source = await openSource(path)
    if (!isStatements(source.columns)) throw new FeedError('shape', `${label} ${source.name} 的列不是已知的`)
    if (keep) keep({ what: `file ${source.name} sha256=${await sha256(path)}`, bytes: Buffer.alloc(0) })
    return (await statementCells(source)).rows
  } catch (error) {
    return unusable(path, error)
  }
}

/** @throws FeedError where a file cannot be used or the system does not give it; other errors as they are */
function unusable(path: string, error: unknown): never {
  if (error instanceof ImportFileError) throw new FeedError('shape', error.message)
  if (!(error instanceof Error && 'syscall' in error)) throw error
  const { code } = error as NodeJS.ErrnoException
  throw new FeedError('credentials', `${label}：文件 ${basename(path)} 无法读取（${code}）`, { cause: error })
}

/** Files below the user's folder; a market without a folder has none there. @throws FeedError the user's folder cannot be read */
async function filesIn(root: string, market: string): Promise<string[]> {
  const folder = join(root, market)
  const isAbsent = (error: NodeJS.ErrnoException) => error.code === 'ENOENT' || error.code === 'ENOTDIR'
  const unreadable = (error: NodeJS.ErrnoException): never => {
    const why = isAbsent(error) ? '不存在' : `无法读取（${error.code}）`
    throw new FeedError('credentials', `${label}：FEED_FOLDER 所指的文件夹${why}`, { cause: error })
  }
  return await tablesIn(folder).catch(async (error: NodeJS.ErrnoException) => {
    if (!isAbsent(error)) return unreadable(error)
    await readdir(root).catch(unreadable)
    return []
  })
}

/**
 * The rows of a day that can be used; those without a trade are named, and those that cannot be read or of which a file has two that differ.
 * @throws FeedError where these are more than a few
 */
function cut({ dates, codes, code, date, count, listed, traded, unreadable, fields, whereIs }: Rows, of: string): DayTable {
  const day = dates.indexOf(of)
  const isOurs = (i: number) => date[i] === day && code[i]! >= 0 && listed?.[i] !== 0
  const all = day < 0 ? [] : Array.from({ length: count }, (_, i) => i).filter(isOurs)
  const codeOf = (i: number) => codes[code[i]!]!
  const isSame = (a: number, b: number) =>
    traded?.[a] === traded?.[b] && [...fields.values()].every((values) => Object.is(values[a], values[b]))
  const rejected = new Map<string, string>()
  const rowOf = new Map<string, number>()
  for (const i of all) {
    const own = codeOf(i)
    const known = rowOf.get(own)
    if (unreadable.has(i)) rejected.set(own, whereIs(i))
    else if (known === undefined) rowOf.set(own, i)
    else if (!isSame(known, i)) rejected.set(own, `${own} ${of} 有两行不同的数据（${whereIs(i)}）`)
  }
  for (const own of rejected.keys()) rowOf.delete(own)
  const [first] = rejected.values()
  if (first !== undefined && !mayBeUnread(rejected.size, rowOf.size + rejected.size)) throw new FeedError('shape', `${label}：${first}`)
  const rows = [...rowOf].sort(([a], [b]) => (a < b ? -1 : 1))
  const places = rows.filter(([, i]) => traded?.[i] !== 0)
  const columns = new Map([...fields].map(([key, values]) => [key, Float64Array.from(places, ([, i]) => values[i]!)]))
  const suspended = rows.filter(([, i]) => traded?.[i] === 0).map(([own]) => own)
  return {
    ...{ date: of, codes: places.map(([own]) => own), columns },
    ...(suspended.length > 0 && { suspended }),
    ...(first !== undefined && { unread: [...rejected.keys()].sort(), notes: [unreadText(first, rejected.size)] }),
  }
}

/** One table of several: a cell is that of the last of them that has the row. */
function together(date: string, tables: readonly DayTable[]): DayTable {
  const from = new Map<string, readonly [DayTable, number]>()
  for (const table of tables) {
    table.codes.forEach((code, i) => {
      from.set(code, [table, i])
    })
  }
  const codes = [...from.keys()].sort()
  const keys = new Set(tables.flatMap(({ columns }) => [...columns.keys()]))
  const columns = new Map(
    [...keys].map((key) => [
      key,
      Float64Array.from(codes, (code) => {
        const [table, i] = from.get(code)!
        return table.columns.get(key)?.[i] ?? Number.NaN
      }),
    ]),
  )
  const known = new Set(codes)
  const suspended = [...new Set(tables.flatMap((table) => table.suspended ?? []))].filter((code) => !known.has(code)).sort()
  const unread = [...new Set(tables.flatMap((table) => table.unread ?? []))].filter((code) => !known.has(code)).sort()
  const notes = tables.flatMap((table) => table.notes ?? [])
  return {
    ...{ date, codes, columns },
    ...(suspended.length > 0 && { suspended }),
    ...(unread.length > 0 && { unread }),
    ...(notes.length > 0 && { notes }),
  }
}

const sha256 = async (path: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

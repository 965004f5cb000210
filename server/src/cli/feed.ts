import { shanghaiDate, shanghaiTime } from '../base/time.ts'
import { feedLabel } from '../config/feeds.ts'
import { askForYears } from '../feeds/calendar.ts'
import { keepHealth } from '../feeds/health.ts'
import { IngestBusy, ingest, ingestOpenParts } from '../feeds/ingest/ingest.ts'
import { baseOf } from '../feeds/ingest/ingest-day.ts'
import { ingestOrder } from '../feeds/ingest/ingest-order.ts'
import { rollBackDays } from '../feeds/ingest/roll-back-days.ts'
import { openChain } from '../feeds/open.ts'
import { pushedIn } from '../feeds/xtdata/pushed-store.ts'
import { addDays, calendarEnd, firstYear, isTradingDay, lastClosedDay, lastYear } from '../market/calendar.ts'
import { checkSnapshot } from '../market/check-snapshot.ts'
import { findingLines } from '../market/import/report-text.ts'
import { snapshotLabels } from '../market/manifest.ts'
import type { SnapshotKind } from '../market/snapshot.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { print } from './output.ts'

/** Days on which parts that have not come are asked for. */
const openDays = 35

/** `convexa feed run`: the days that are missing and what has not come of the last ones, or one day anew. */
export async function feedRun({ market, day, from }: { market?: SnapshotKind; day?: string; from?: string }): Promise<void> {
  await withCommandContext('database', async ({ db, config, signal, stay }) => {
    if (config.feeds.on.length === 0) throw new Stop(exits.refused, '没有启用数据源，请设置 FEEDS（见 ./convexa feed status）')
    const chain = openChain(
      { feeds: config.feeds, pushed: pushedIn(db) },
      () => new Date(),
      keepHealth(db, () => {}, 0),
    )
    const now = new Date()
    for (const { year, source, why } of await askForYears({ db, chain, signal, now: () => now }))
      if (source !== null && why === null) print(`${year} 年的交易日历：已采用 ${feedLabel(source)} 的应答`)
    const through = lastClosedDay(now)
    const unable = day === undefined ? null : whyNot(day, through)
    if (unable) throw new Stop(exits.refused, unable)
    if (from !== undefined && from > through) throw new Stop(exits.refused, `${from} 之后还没有已收盘的交易日，最近的一个是 ${through}`)
    if (isTradingDay(shanghaiDate(now)) === null) print(calendarEnd())
    const request = {
      through,
      ...(market && { kinds: [market] }),
      ...(day !== undefined && { day }),
      ...(from !== undefined && { from }),
      onDay: ({ text }: { text: string }) => print(text),
    }
    // An interrupt drops pending questions at once; a day that is on its way is published and reported.
    stay()
    const deps = { db, dataDir: config.dataDir, chain, signal }
    const work = async () => {
      const done = await ingest(deps, request)
      // Asked for by nobody in particular: what of the last days has not come is asked for too.
      const isAll = market === undefined && day === undefined && from === undefined
      const openParts = { from: addDays(through, -openDays), to: through, steps: ['quotes', 'events'], since: now } as const
      const open = isAll ? await ingestOpenParts(deps, openParts) : []
      for (const { text } of open) print(text)
      return { done, open }
    }
    const { done, open } = await work().catch((error: unknown) => {
      if (error instanceof IngestBusy) throw new Stop(exits.refused, error.message)
      if (signal.aborted) return { done: [], open: [] }
      throw error
    })
    if (signal.aborted) throw new Stop(exits.interrupted, '已中断')
    if (done.length === 0 && open.length === 0) {
      const { words, refused } = await nothingDone(db, through, request)
      if (refused) throw new Stop(exits.refused, words)
      print(words)
    }
    if (done.some(({ state }) => state === 'refused' || state === 'waiting')) throw new Stop(exits.failed)
  })
}

/** Why a day cannot be asked for. */
function whyNot(day: string, through: string): string | null {
  const isOpen = isTradingDay(day)
  if (isOpen === null) return `${day} 不在交易日历里，日历有 ${firstYear} 至 ${lastYear()} 年`
  if (!isOpen) return `${day} 不是交易日`
  return day > through ? `${day} 还没有收盘，最近收盘的交易日是 ${through}` : null
}

/** `refused`: what was asked for cannot be done, where else there was nothing to do. */
async function nothingDone(
  db: Parameters<typeof baseOf>[0],
  through: string,
  { kinds = [...ingestOrder], day }: { kinds?: readonly SnapshotKind[]; day?: string },
): Promise<{ words: string; refused: boolean }> {
  const bases = await Promise.all(kinds.map(async (kind) => ({ kind, base: await baseOf(db, kind) })))
  const lines = bases.map(({ kind, base }) => {
    if (!base) return `${snapshotLabels[kind]}：还没有导入的行情（演示行情之后不能追加），用 --from 指定从哪一天开始`
    if (base.lastDate >= through) return `${snapshotLabels[kind]}：已到 ${base.lastDate}，没有缺少的交易日`
    return `${snapshotLabels[kind]}：已到 ${base.lastDate}，其后的交易日回滚过，用 --day 确认后再发布`
  })
  return { words: lines.join('\n'), refused: day !== undefined }
}

/** `convexa feed check`: every file and the last 250 days once more. */
export async function feedCheck(): Promise<void> {
  await withCommandContext('database', async ({ db, config }) => {
    let isBad = false
    for (const kind of ingestOrder) {
      const snapshot = await baseOf(db, kind)
      if (!snapshot) {
        print(`${snapshotLabels[kind]}：还没有导入的行情`)
        continue
      }
      const { files, bytes, days, rows, findings } = await checkSnapshot(config.dataDir, snapshot)
      print(
        `${snapshotLabels[kind]}：版本 ${snapshot.dataVersion}，${files} 个文件 ${(bytes / 1e6).toFixed(1)} MB，${days} 个交易日，复查 ${rows} 行。`,
      )
      for (const finding of findings) print(findingLines(finding).join('\n'))
      if (findings.length === 0) print('没有发现问题。')
      isBad ||= findings.some(({ level }) => level !== 'warning')
    }
    if (isBad) throw new Stop(exits.failed)
  })
}

/** `convexa feed rollback`: an older version is published again. */
export async function feedRollback(kind: SnapshotKind, { to, list }: { to?: string; list?: boolean }): Promise<void> {
  await withCommandContext('database', async ({ db, config, stay }) => {
    if (list) {
      const rows = await db
        .selectFrom('market_snapshot')
        .select(['data_version', 'published_at', 'data_mode'])
        .where('kind', '=', kind)
        .orderBy('published_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      for (const { data_version, published_at } of rows) print(`${data_version}  ${shanghaiTime(published_at)}`)
      return
    }
    stay()
    const done = await rollBackDays(db, config.dataDir, kind, to)
    if (!done.ok) throw new Stop(exits.refused, done.refused)
    print(`${snapshotLabels[kind]}已恢复为 ${done.to.dataVersion}（截至 ${done.to.lastDate}），撤回 ${done.from.dataVersion}。`)
    if (done.rolledBackDays.length > 0) print(`${done.rolledBackDays.join('、')} 不再自动采集，用 ./convexa feed run --day 确认后再发布。`)
  })
}

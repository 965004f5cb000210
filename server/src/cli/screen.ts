import { IsoDate, type MarketId, type ScreenResult } from '@convexa/contract'
import { ApiError } from '../base/api-error.ts'
import { remoteCompute } from '../compute/remote.ts'
import { loadedMarket } from '../quant/loaded-market.ts'
import { openPartsNotes } from '../quant/open-parts.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer } from './output.ts'
import { readRequest } from './request-file.ts'
import { modeText, numberText, table } from './text.ts'

const deadlineMs = 300_000
const shownRows = 30

/** `convexa screen`: the ranking of one day, computed by a worker as the page's. */
export async function screen(kind: MarketId, file: string, { date }: { date?: string }): Promise<void> {
  if (date && !IsoDate.safeParse(date).success) throw new Stop(exits.usage, `用法有误：日期“${date}”需为 YYYY-MM-DD`)
  const { rule } = readRequest(kind, file)
  if (!('parameters' in rule)) throw new Stop(exits.refused, '策略组没有自己的名单，请分别筛选它的成员')
  const { parameters } = rule
  await withCommandContext('worker', async ({ db, config, signal }) => {
    try {
      const { ref, snapshot } = await loadedMarket(db, config.dataDir, kind)
      const day = date ?? snapshot.lastDate
      const { [day]: note } = await openPartsNotes({ db, config, now: () => new Date() }, snapshot, [day])
      const input = { parameters, date: date ?? null, ...(note !== undefined && { note }) }
      const result = await remoteCompute(db).call('screen', ref, input, { deadlineMs, asker: null, signal })
      answer(result, () => described(result))
    } catch (error) {
      if (signal.aborted) throw new Stop(exits.interrupted, '已中断')
      throw error instanceof ApiError ? new Stop(exits.refused, `${error.message}[${error.code}]`, { code: error.code }) : error
    }
  })
}

function described({
  trade_date,
  data_mode,
  data_version,
  total,
  selected,
  list_items,
  funnel,
  warnings,
  data_note,
}: ScreenResult): string {
  const rows = list_items.slice(0, Math.max(shownRows, selected))
  const keys = Object.keys(rows[0]?.values ?? {})
  const cell = (value: number | string | null | undefined) => (typeof value === 'string' ? value : numberText(value, 4))
  return [
    `${trade_date} 收盘，${modeText(data_mode)} ${data_version}：池内 ${total} 只，入选 ${selected} 只`,
    ...funnel.map(({ label, before, after }) => `  ${label}：${before} → ${after}`),
    '',
    table(
      [
        ['名次', '代码', '名称', '得分', '入选', ...keys],
        ...rows.map(({ rank, code, name, score, selected: chosen, values }) => [
          numberText(rank, 0),
          code,
          name,
          numberText(score, 1),
          chosen ? '是' : '',
          ...keys.map((key) => cell(values[key])),
        ]),
      ],
      [0, 3, ...keys.map((_, i) => 5 + i)],
    ),
    ...(list_items.length > rows.length ? [`…共 ${list_items.length} 只`] : []),
    ...[...(data_note ? [data_note] : []), ...warnings].map((warning) => `提示：${warning}`),
  ].join('\n')
}

import { markets } from '@convexa/contract/enums/market'
import { metricLabel } from '@convexa/contract/enums/metric'
import type { Report, ReportCore, TradeReason } from '@convexa/contract/report'
import { useEffect, useMemo, useRef, useState } from 'react'
import { count, fixed, percent } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useRowKeys } from '../../keys/use-row-keys.ts'
import { Card } from '../../ui/card.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { DataGrid } from '../../ui/grid/data-grid.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack } from '../../ui/layout.tsx'
import { saveText } from '../../ui/table/sheet.ts'
import { useSorted } from '../../ui/table/sort.ts'
import { fileNameOf } from './files.ts'
import { reasonWords } from './reasons.ts'
import { columnsOf, narrowColumns } from './trade-columns.tsx'
import { closes, fillDecimals, hasSlippage } from './trade-text.ts'
import styles from './trades.module.css'
import { tradesCsv } from './trades-csv.ts'

/** Within the margins of `report-print.css`: 186 mm. */
const paperWidth = 700

/** Every fill with its reason: filtered by reason, by a word, sorted, saved. */
export function TradesCard({
  report,
  search,
  onSearch,
  onDay,
}: {
  report: ReportCore & Pick<Report, 'trades'>
  search: string
  onSearch: (text: string) => void
  onDay: (date: string) => void
}) {
  const [reason, setReason] = useState<TradeReason | null>(null)
  const market = markets[report.kind]
  const { unit } = market
  // Where prices are not adjusted the second price says nothing.
  const adjusted = useMemo(() => report.trades.some((trade) => trade.price_adj !== null), [report.trades])
  const phone = usePhone()
  const columns = useMemo(() => {
    if (phone) return narrowColumns(fillDecimals(report), unit)
    return columnsOf(fillDecimals(report), unit, hasSlippage(report)).filter((column) => adjusted || column.key !== 'price_adj')
  }, [report, unit, adjusted, phone])
  const counts = useMemo(() => {
    const found = new Map<TradeReason, number>()
    for (const trade of report.trades) found.set(trade.reason, (found.get(trade.reason) ?? 0) + 1)
    return [...found].sort((a, b) => b[1] - a[1])
  }, [report.trades])
  const kept = useMemo(() => {
    const word = search.trim().toUpperCase()
    return report.trades.filter(
      (trade) =>
        (reason === null || trade.reason === reason) &&
        (word === '' || trade.code.includes(word) || trade.name.toUpperCase().includes(word)),
    )
  }, [report.trades, reason, search])
  const sorted = useSorted(kept, columns, [{ key: 'date', direction: 'descending' }])
  const { rows } = sorted
  const whole = rows.length === report.trades.length
  const closed = rows.filter(closes)
  const won = closed.filter((row) => (row.return_ ?? 0) > 0).length
  const mean = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null)
    return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
  }
  const save = () => saveText(`${fileNameOf(report, '交易')}.csv`, tradesCsv(report, rows), 'text/csv')
  const word = useRef<HTMLInputElement>(null)
  useKeys({ export: save, search: () => word.current?.focus() })
  const frame = useRef<HTMLDivElement>(null)
  useRowKeys(frame)
  // On paper the columns keep the widths that they have on the screen.
  useEffect(() => {
    const fitPaper = () => {
      const { current } = frame
      current?.style.setProperty('--print-zoom', String(Math.min(1, paperWidth / current.clientWidth)))
    }
    fitPaper()
    window.addEventListener('beforeprint', fitPaper)
    return () => window.removeEventListener('beforeprint', fitPaper)
  }, [])
  return (
    <Card
      className="trades"
      title="交易"
      note={
        <>
          {count(report.trades_total)} 笔
          {report.trades.length < report.trades_total && `，仅列最近 ${count(report.trades.length)} 笔，更早的见某日持仓`}
        </>
      }
      tools={
        <>
          <label className="field search-field">
            <Icon name="search" size="middle" />
            <input
              ref={word}
              type="search"
              placeholder="代码或名称"
              aria-label="按代码或名称筛选交易"
              value={search}
              onChange={(event) => onSearch(event.currentTarget.value)}
            />
          </label>
          <FileButton look={['small']} icon="download" onClick={save}>
            CSV
          </FileButton>
        </>
      }
      bare
    >
      <Row as="fieldset" gap={8} wrap className="reason-chips" aria-label="原因">
        <span className="text-2 size-12">原因</span>
        <button type="button" aria-pressed={reason === null} onClick={() => setReason(null)}>
          全部 {count(report.trades.length)}
        </button>
        {counts.map(([one, number]) => (
          <button type="button" key={one} aria-pressed={reason === one} onClick={() => setReason(reason === one ? null : one)}>
            {reasonWords[one]} {count(number)}
          </button>
        ))}
      </Row>
      <Stack
        className="trades-frame"
        ref={frame}
        style={{ height: `calc(var(--grid-head) + var(--grid-row) * ${Math.min(16, Math.max(3, rows.length))} + 2px)` }}
      >
        <DataGrid
          label="交易"
          columns={columns}
          {...sorted}
          rowKey={(row) => `${row.date} ${row.code} ${row.side} ${row.reason} ${row.volume}`}
          onOpen={(row) => onDay(row.date)}
          instead={<p className={styles.tradesNone}>没有符合条件的交易</p>}
        />
      </Stack>
      <Row gap={24} className={`card-line ${styles.tradesSum}`}>
        <span>
          {whole ? '合计' : '筛选出'} <b>{count(whole ? report.trades_total : rows.length)}</b> 笔
        </span>
        <span>
          费用 <b>{count(whole ? report.metrics.fees : rows.reduce((sum, row) => sum + row.fee, 0))}</b> 元
        </span>
        <span title="清仓的卖出中盈利的比例，调仓卖出不算">
          单笔胜率 <b>{percent(closed.length > 0 ? won / closed.length : null, 1)}</b>
        </span>
        <span title="清仓的卖出，调仓卖出不算">
          {metricLabel('avg_holding_days')}{' '}
          <b>{fixed(whole ? report.metrics.avg_holding_days : mean(closed.map((row) => row.days_held)), 1)}</b> 日
        </span>
        <span className="grow" />
        <span className="text-3">回车或点一行看当天持仓</span>
      </Row>
    </Card>
  )
}

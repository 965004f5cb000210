import type { ScreenRow } from '@convexa/contract/screen'
import type { Parameters } from '@convexa/contract/strategy'
import { Suspense, useMemo, useState } from 'react'
import { exact, signedPercent, tone } from '../../base/format.ts'
import { useNarrow, usePhone } from '../../base/use-phone.ts'
import { useMarket } from '../../market/market-context.tsx'
import { Card } from '../../ui/card.tsx'
import { nothing, type Selection } from '../../ui/grid/selection.ts'
import { Row } from '../../ui/layout.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import { Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { TabList } from '../../ui/tabs.tsx'
import { DataLine } from '../data-status/data-line.tsx'
import { useFactors } from '../rule/factors.ts'
import { ExcludedTable } from '../screen/excluded-table.tsx'
import { ScreenCards } from '../screen/screen-cards.tsx'
import { ScreenStamp } from '../screen/screen-stamp.tsx'
import { type ListTab, ScreenTable } from '../screen/screen-table.tsx'
import { useShownSecurity } from '../security/shown-security.ts'
import { afterOf, type HistoryDay, type Horizon, horizons, horizonWords } from './after.ts'
import styles from './history.module.css'

// With its chart and clauses it is a page of its own: it comes when a row is opened.
const SecurityDrawer = lazyDialog(async () => (await import('../security/security-drawer.tsx')).SecurityDrawer)

type Tab = Exclude<ListTab, 'reserve'> | 'excluded'

/** The list of a day as the rule would have made it, and apart from it what came after. */
export function DayCard({ day, parameters, horizon }: { day: HistoryDay; parameters: Parameters; horizon: Horizon }) {
  const { id: kind } = useMarket()
  const { factors } = useFactors(kind)
  const [tab, setTab] = useState<Tab>('selected')
  const [selection, setSelection] = useState<Selection>(nothing)
  const phone = usePhone()
  const open = useShownSecurity(day, true)
  const narrow = useNarrow()
  const after = useMemo(() => afterColumns(day, horizon, narrow), [day, horizon, narrow])
  const chosen = afterOf(day, horizon)
  const tail = (row: ScreenRow) => {
    const value = chosen?.per_code[row.code]
    return (
      <span className={styles.after}>
        {horizonWords[horizon]}后 <b className={tone(value)}>{signedPercent(value)}</b>
      </span>
    )
  }
  const excluded = day.excluded ?? []
  return (
    <Card plain className={`screen ${styles.listCard}`} label={`${day.trade_date} 的名单`}>
      <Row wrap className="screen-bar">
        <TabList<Tab>
          label="名单"
          tabs={[
            { key: 'selected', label: '名单', count: day.selected },
            { key: 'all', label: '全部', count: day.total },
            { key: 'excluded', label: '被剔除', count: excluded.length },
          ]}
          value={tab}
          onChange={setTab}
        />
        <Row gap={8} className="screen-tools">
          <span className={`chip ${styles.afterKey}`}>
            <i />
            事后数据：当天并不知道
          </span>
          <ScreenStamp result={day} />
        </Row>
      </Row>
      {day.data_note && <p className="screen-warning">{day.data_note}。</p>}
      {day.warnings.map((warning) => (
        <p key={warning} className="screen-warning">
          {warning}
        </p>
      ))}
      {tab === 'excluded' ? (
        <ExcludedTable {...{ result: day, parameters, factors }} stale={false} />
      ) : tab === 'selected' && day.selected === 0 ? (
        <Empty title="该日没有符合条件的证券">换一天，或放宽剔除条件；「被剔除」里写明了每只的原因。</Empty>
      ) : phone ? (
        <ScreenCards {...{ result: day, parameters, factors, tab }} stale={false} onOpen={open.show} tail={tail} />
      ) : (
        <ScreenTable
          {...{ result: day, parameters, factors, tab, after, selection }}
          stale={false}
          current={open.row?.code ?? null}
          onOpen={open.show}
          onSelect={setSelection}
          onColumns={() => {}}
        />
      )}
      <DataLine kind={kind} mode={day.data_mode} version={day.data_version} date={day.trade_date} />
      {open.row && (
        <Suspense>
          <SecurityDrawer row={open.row} result={day} parameters={parameters} factors={factors} onShow={open.show} onClose={open.close} />
        </Suspense>
      )}
    </Card>
  )
}

/** One column a horizon, each with its own ground; the chosen one in bold, and alone in its place where there is little room. */
function afterColumns(day: HistoryDay, chosen: Horizon, narrow: boolean): Column<ScreenRow>[] {
  const isShown = (horizon: Horizon) => !narrow || horizon === chosen
  return [...horizons]
    .sort((a, b) => Number(isShown(a)) - Number(isShown(b)))
    .map((horizon) => {
      const after = afterOf(day, horizon)
      const value = (row: ScreenRow) => after?.per_code[row.code] ?? null
      const words = horizon === 'latest' ? '至今收益' : `后${horizonWords[horizon]}收益`
      return {
        key: `after.${horizon}`,
        label: words,
        title: '事后数据：从当天收盘起持有，不计成本；不参与选择',
        head: <span className={styles.afterHead}>{words}</span>,
        width: 80,
        ...(isShown(horizon) && { pinned: 'right' as const }),
        numeric: true,
        sortBy: value,
        cell: (row) => (horizon === chosen ? <b className="medium">{signedPercent(value(row))}</b> : signedPercent(value(row))),
        text: (row) => signedPercent(value(row)),
        exact: (row) => exact(value(row), 'percent'),
        className: (row) => `${styles.after} ${tone(value(row))}`,
      }
    })
}

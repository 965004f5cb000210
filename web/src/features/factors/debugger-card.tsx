import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { type CSSProperties, useMemo } from 'react'
import { securitiesQuery } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { CardState } from '../../ui/card-state.tsx'
import { ChartBox } from '../../ui/chart/chart-box.tsx'
import { useChartTheme } from '../../ui/chart/chart-theme.ts'
import { barsOption } from '../../ui/chart/kinds/bars.ts'
import { Spark } from '../../ui/chart/spark.tsx'
import { tip } from '../../ui/chart/tip.ts'
import { Toolbar } from '../../ui/controls.tsx'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Table } from '../../ui/table/table.tsx'
import type { DataRange } from '../rule/draft.ts'
import { TradingDateField } from '../rule/trading-date-field.tsx'
import { stepDay } from '../rule/trading-days.ts'
import { useClosed, yearsAround } from '../rule/use-trading-days.ts'
import styles from './debugger-card.module.css'
import { type Meanings, readingOf, written } from './meaning.ts'
import { type FactorRun, type PartRow, shortDays } from './run-model.ts'

/** What every part of the formula came to on a security and a day. */
export function DebuggerCard({
  kind,
  run,
  state,
  stale,
  code,
  date,
  range,
  meanings,
  watermark,
  onCode,
  onDate,
}: {
  kind: MarketId
  run: FactorRun | null
  state: CardState
  /** The formula has changed since. */
  stale: boolean
  code: string
  /** Empty until the data's range is known. */
  date: string
  range: DataRange | null
  meanings: Meanings
  watermark: string | null
  onCode: (code: string) => void
  onDate: (date: string) => void
}) {
  const { data: securities } = useQuery(securitiesQuery(kind))
  const options = useMemo(
    () => (securities ?? []).map((one) => ({ value: one.code, label: one.name, note: one.code, words: one.pinyin })),
    [securities],
  )
  const closed = useClosed(range ? yearsAround(date, range) : [])
  const before = range && stepDay(date, -1, range, closed)
  const next = range && stepDay(date, 1, range, closed)
  return (
    <Card
      className="debugger"
      title="公式调试器"
      note={stale ? '公式已修改，下面是修改前的结果' : '每个节点在所选证券与日期上的值'}
      bare
      state={state}
      tools={
        <Toolbar className={styles.tools}>
          <Combobox label="证券" width={208} value={code} options={options} onChange={(value) => value && onCode(value)} />
          <Button
            look={['square', 'small']}
            icon="left"
            aria-label="上一交易日"
            disabled={before === null}
            onClick={() => before && onDate(before)}
          />
          <TradingDateField
            label="日期"
            value={date}
            min={range?.start}
            max={range?.end}
            onChange={(value) => onDate(range && value > range.end ? range.end : value)}
          />
          <Button
            look={['square', 'small']}
            icon="right"
            aria-label="下一交易日"
            disabled={next === null}
            onClick={() => next && onDate(next)}
          />
        </Toolbar>
      }
    >
      {run && (
        <div className={stale ? 'stale' : undefined}>
          <PartsTable rows={run.rows} meanings={meanings} />
          <History run={run} meanings={meanings} watermark={watermark} />
          <Reading run={run} meanings={meanings} />
        </div>
      )}
    </Card>
  )
}

function PartsTable({ rows, meanings }: { rows: readonly PartRow[]; meanings: Meanings }) {
  return (
    <div className="table-frame">
      <Table
        className={styles.parts}
        columns={[
          { label: '节点' },
          { label: '含义' },
          { label: '值', numeric: true },
          { label: '单位' },
          { label: `近 ${shortDays} 日` },
          { label: '区间', numeric: true },
        ]}
      >
        {rows.map((row) => {
          const known = row.series?.filter((value): value is number => value !== null) ?? []
          return (
            <tr key={row.key} className={row.depth === 0 ? styles.whole : undefined}>
              <td>
                <span className={styles.partName} style={{ '--depth': Math.max(0, row.depth - 1) } as CSSProperties}>
                  {row.depth > 0 && (
                    <span className="mono text-3" aria-hidden="true">
                      {row.last ? '└' : '├'}
                    </span>
                  )}
                  {row.local && <span className="tag">{row.local}</span>}
                  <code title={row.formula}>{row.label}</code>
                </span>
              </td>
              <td className="text-2">{meanings.nameOf(row)}</td>
              <td className="number strong">{meanings.write(row, row.value)}</td>
              <td className="text-3">{meanings.unitOf(row)}</td>
              <td>{known.length > 1 && <Spark values={known} width={96} height={20} tone="plain" />}</td>
              <td className="number text-3">
                {known.length > 1 && `${meanings.write(row, Math.min(...known))} ~ ${meanings.write(row, Math.max(...known))}`}
              </td>
            </tr>
          )
        })}
      </Table>
    </div>
  )
}

function History({ run, meanings, watermark }: { run: FactorRun; meanings: Meanings; watermark: string | null }) {
  const look = useChartTheme()
  const [whole] = run.rows
  const { series } = run.probe
  const values = series?.values[run.request.code] ?? []
  const dates = series?.dates ?? []
  const option = useMemo(
    () =>
      barsOption(
        {
          names: dates.map((day) => day.slice(5)),
          values,
          format: (value) => String(Number(value.toPrecision(3))),
          histogram: true,
          chosen: dates.length - 1,
          watermark,
        },
        look,
        (index) => tip(dates[index] ?? '', [{ mark: 'none', name: '因子值', value: written(values[index] ?? null) }]),
      ),
    [dates, values, look, watermark],
  )
  if (!whole || values.every((value) => value === null))
    return <p className={`note ${styles.nothing}`}>这只证券在这段时间没有值，换一只证券或日期看看。</p>
  return (
    <div className={styles.history}>
      <h3>
        <code>{whole.label}</code>
        <span>
          近 {dates.length} 个交易日{meanings.unitOf(whole) && ` · ${meanings.unitOf(whole)}`}
        </span>
      </h3>
      <ChartBox
        option={option}
        shape="factor-history"
        label="因子值的历史"
        height={132}
        points={values.length}
        describe={(index) => `${dates[index]}，${written(values[index] ?? null)}`}
      />
    </div>
  )
}

function Reading({ run, meanings }: { run: FactorRun; meanings: Meanings }) {
  const words = readingOf(run.rows, meanings)
  if (!words) return null
  return (
    <Row as="p" gap={8} align="stretch" className={styles.reading}>
      <Icon name="info" />
      <span>读法：{words}</span>
    </Row>
  )
}

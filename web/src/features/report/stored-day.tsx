import type { Report, ReportCore } from '@convexa/contract/report'
import { useMemo } from 'react'
import { count, fixed, percent } from '../../base/format.ts'
import { Row } from '../../ui/layout.tsx'
import { Table } from '../../ui/table/table.tsx'
import styles from './day.module.css'
import { Security, Traded } from './day-detail.tsx'
import { heldCount, heldOn } from './held-on.ts'
import { fillDecimals } from './trade-text.ts'

/** A day as far as the report itself tells it: names, weights, what was traded. */
export function StoredDay({
  report,
  day,
  onSecurity,
}: {
  report: ReportCore & Pick<Report, 'holdings' | 'trades'>
  day: string
  onSecurity: (code: string) => void
}) {
  const rows = useMemo(() => heldOn(report.holdings, day), [report, day])
  const { curves } = report
  const at = curves.dates.indexOf(day)
  const trades = report.trades.filter(({ date }) => date === day)
  const [sold, bought] = [trades.filter(({ side }) => side === 'sell'), trades.filter(({ side }) => side === 'buy')]
  const decimals = fillDecimals(report)
  return (
    <>
      <Row as="dl" className="day-facts">
        <div>
          <dt>净值</dt>
          <dd>{fixed(curves.nav[at], 4)}</dd>
        </div>
        <div>
          <dt>持仓</dt>
          <dd>{count(heldCount(curves, day))} 只</dd>
        </div>
        <div>
          <dt>仓位</dt>
          <dd>{percent(curves.exposure[at], 1)}</dd>
        </div>
        <div>
          <dt>当日换手</dt>
          <dd>{percent(curves.turnover[at], 1)}</dd>
        </div>
      </Row>
      <div className={styles.dayColumns}>
        <div className="table-frame">
          <Table
            dense
            className={styles.positions}
            columns={[
              { label: '代码', look: () => 'mono', cell: ({ code }) => code },
              {
                label: '名称',
                look: () => 'medium',
                cell: ({ code, name, claim }) => (
                  <>
                    <Security code={code} onSecurity={onSecurity}>
                      {name}
                    </Security>
                    {claim && <span className="tag">{claim}</span>}
                  </>
                ),
              },
              { label: '权重', numeric: true, cell: ({ weight }) => percent(weight, 1) },
            ]}
            rows={rows}
            rowKey={({ code }, i) => `${code} ${i}`}
          >
            {rows.length === 0 && (
              <tr>
                <td colSpan={3} className="text-3">
                  当日收盘没有持仓，全部为现金。
                </td>
              </tr>
            )}
          </Table>
        </div>
        <div className={styles.daySide}>
          {trades.length === 0 && (
            <section>
              <h3>当日没有成交</h3>
            </section>
          )}
          <Traded title="当日卖出" rows={sold} decimals={decimals} onSecurity={onSecurity} />
          <Traded title="当日买入" rows={bought} decimals={decimals} onSecurity={onSecurity} />
        </div>
      </div>
    </>
  )
}

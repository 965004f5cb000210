import { isFraction } from '@convexa/contract/enums/hold-range'
import { markets } from '@convexa/contract/enums/market'
import type { DayDetail, DayRow, Report, ReportCore, TradeRow } from '@convexa/contract/report'
import { type ReactNode, useState } from 'react'
import { count, fixed, money, percent, quantity, signedCount, signedPercent, tone } from '../../base/format.ts'
import { ScrollBox } from '../../ui/chart/scroll-box.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Table } from '../../ui/table/table.tsx'
import styles from './day.module.css'
import { claimTags, heldCount, heldValue } from './held-on.ts'
import { useLedger } from './ledger-part.tsx'
import { fillParts } from './report-queries.ts'
import { rotationDay } from './rotation-day.ts'
import { fillDecimals } from './trade-text.ts'

/** One day in full: positions, what was traded and why, who stood next in line. */
export function Day({
  report,
  detail,
  onDay,
  onSecurity,
  onScores,
}: {
  report: ReportCore
  detail: DayDetail
  onDay: (date: string) => void
  onSecurity: (code: string) => void
  /** Leads to the ranking of a day, factor by factor. */
  onScores?: ((date: string) => void) | undefined
}) {
  const { priceDecimals, unit } = markets[report.kind]
  const paid = fillDecimals(report)
  const { dates } = report.curves
  // The members of a group rank on days of their own.
  const rule = report.parameters
  const rotation =
    rule && detail.note?.includes('轮动日')
      ? detail.trade_date
      : rule && rotationDay(dates, dates.indexOf(detail.trade_date), rule.rebalance_method)
  const scores = onScores && rotation && (
    <button type="button" className="link size-12" onClick={() => onScores(rotation)}>
      看各因子得分
    </button>
  )
  const facts: readonly (readonly [name: string, text: string, link?: ReactNode])[] = [
    ['净值', fixed(detail.nav, 4)],
    ['持仓', `${count(heldCount(report.curves, detail.trade_date))} 只`],
    ['市值', money(heldValue(report.settings, detail))],
    ['现金', money(detail.cash)],
    ['当日换手', percent(detail.turnover, 1)],
    ...(rotation ? [['名次取自', `${rotation.slice(5)} 轮动`, scores] as const] : []),
    ...(detail.note ? [['说明', detail.note] as const] : []),
  ]
  return (
    <>
      <Row as="dl" className="day-facts">
        {facts.map(([name, text, link]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {text} {link}
            </dd>
          </div>
        ))}
      </Row>
      <div className={styles.dayColumns}>
        <div className="table-frame">
          <Table
            dense
            className={styles.positions}
            columns={[
              { label: '名次', title: '最近一次轮动时的名次', numeric: true, className: 'wide-only' },
              { label: '代码', className: 'wide-only' },
              { label: '名称', className: styles.positionName },
              { label: '权重', numeric: true },
              { label: `数量(${unit})`, numeric: true },
              { label: '成本(元)', numeric: true },
              { label: '收盘(元)', numeric: true },
              { label: '市值(元)', numeric: true },
              { label: '盈亏(元)', title: '含持有期间所得的现金分红或利息', numeric: true },
              { label: '收益率', numeric: true },
              { label: '持有(日)', numeric: true },
              { label: '原因' },
            ]}
          >
            {detail.positions.map((row, i) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a group that tells its members apart has a security more than once
              <Position key={`${row.code} ${i}`} row={row} unit={unit} decimals={priceDecimals} paid={paid} onSecurity={onSecurity} />
            ))}
            {detail.positions.length === 0 && (
              <tr>
                <td colSpan={12} className="text-3">
                  当日收盘没有持仓，全部为现金。
                </td>
              </tr>
            )}
          </Table>
        </div>
        <div className={styles.daySide}>
          {detail.sold.length + detail.bought.length === 0 && <NothingTraded report={report} day={detail.trade_date} onDay={onDay} />}
          <Traded title="当日卖出" rows={detail.sold} decimals={paid} onSecurity={onSecurity} />
          <Traded title="当日买入" rows={detail.bought} decimals={paid} onSecurity={onSecurity} />
          <Unbought rows={detail.unbought ?? []} onSecurity={onSecurity} />
          <Reserves detail={detail} rule={report.parameters} onSecurity={onSecurity} />
        </div>
      </div>
    </>
  )
}

const tagOf: Readonly<Record<string, string>> = claimTags

function Position({
  row,
  unit,
  decimals,
  paid,
  onSecurity,
}: {
  row: DayRow
  unit: string
  decimals: number
  /** Decimals of a cost: slippage is in it. */
  paid: number
  onSecurity: (code: string) => void
}) {
  return (
    <tr>
      <td className="number text-2 wide-only" title={row.score === null ? undefined : `得分 ${fixed(row.score)}，满分 100`}>
        {row.rank ?? '—'}
      </td>
      <td className="mono wide-only">{row.code}</td>
      <td className={`medium ${styles.positionName}`}>
        <Security code={row.code} onSecurity={onSecurity}>
          {row.name}
        </Security>
        {row.suspension === 1 && <span className="tag">停牌</span>}
        {row.missing_bar && <span className="tag">缺行情</span>}
        {tagOf[row.reason] && <span className="tag">{tagOf[row.reason]}</span>}
        {row.cash_div > 0 && <span className="tag">{`派现 ${fixed(row.cash_div)} 元`}</span>}
        {row.stk_div > 0 && <span className="tag">{`除权增 ${quantity(row.stk_div)} ${unit}`}</span>}
      </td>
      <td className="number">{percent(row.weight, 1)}</td>
      <td className="number">{quantity(row.volume)}</td>
      <td className="number">{fixed(row.cost_price, paid)}</td>
      <td className="number">{fixed(row.last_price, decimals)}</td>
      <td className="number">{count(row.market_value)}</td>
      <td className={`number ${tone(row.profit_loss, 0)}`}>{signedCount(row.profit_loss)}</td>
      <td className={`number ${tone(row.profit_rate)}`}>{signedPercent(row.profit_rate)}</td>
      <td className="number">{row.holding_days}</td>
      <td className={`text-2 ${styles.reason}`}>{row.reason_text}</td>
    </tr>
  )
}

export const Security = ({ code, onSecurity, children }: { code: string; onSecurity: (code: string) => void; children: ReactNode }) => (
  <button type="button" className="plain" title={`看 ${code} 的全部交易`} onClick={() => onSecurity(code)}>
    {children}
  </button>
)

/** A quiet day leads to the last one that was not. */
function NothingTraded({ report, day, onDay }: { report: ReportCore; day: string; onDay: (date: string) => void }) {
  // As far as the trades are here: the day itself does not wait for them.
  const { whole } = useLedger(report, fillParts, false)
  const last = whole?.trades.reduce<string | null>(
    (date, trade) => (trade.date < day && (date === null || trade.date > date) ? trade.date : date),
    null,
  )
  return (
    <section>
      <h3>当日没有成交</h3>
      {last && (
        <button type="button" className="link size-12" onClick={() => onDay(last)}>
          看上一次成交 {last}
        </button>
      )}
    </section>
  )
}

export function Traded({
  title,
  rows,
  decimals,
  onSecurity,
}: {
  title: string
  rows: readonly TradeRow[]
  decimals: number
  onSecurity: (code: string) => void
}) {
  if (rows.length === 0) return null
  return (
    <section>
      <h3>
        {title} <span className="text-3">{rows.length} 笔</span>
      </h3>
      <ul className={styles.dayTrades}>
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two members of a group may trade the same
          <li key={`${row.code} ${i}`}>
            <b>
              <Security code={row.code} onSecurity={onSecurity}>
                {row.name}
              </Security>
            </b>
            <span className="number">{fixed(row.price, decimals)}</span>
            <span className={`number ${tone(row.return_)}`}>
              {row.side === 'sell' ? signedPercent(row.return_) : `${count(row.amount)} 元`}
            </span>
            <small>{row.reason_text}</small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Securities that had a free place but could not be bought, for example at their upper price limit. */
function Unbought({ rows, onSecurity }: { rows: NonNullable<DayDetail['unbought']>; onSecurity: (code: string) => void }) {
  if (rows.length === 0) return null
  return (
    <section>
      <h3>
        未能买入 <span className="text-3">{rows.length} 只</span>
      </h3>
      <ul className={styles.dayTrades}>
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two members of a group may want the same
          <li key={`${row.code} ${i}`}>
            <b>
              <Security code={row.code} onSecurity={onSecurity}>
                {row.name}
              </Security>
            </b>
            <small>
              名次 {row.rank}，{row.reason_text}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Of the excluded a day lists so many, those sold first: of more it does not say how many they are. */
const listedExcluded = 20

function Reserves({ detail, rule, onSecurity }: { detail: DayDetail; rule: Report['parameters']; onSecurity: (code: string) => void }) {
  const [open, setOpen] = useState(false)
  if (detail.reserves.length + detail.excluded.length === 0) return null
  const hold = rule?.hold_method
  // Of a fraction of the pool the last place is another every day.
  const places = hold && !isFraction(hold) ? hold.hold_range_end : null
  return (
    <section>
      {detail.reserves.length > 0 && (
        <>
          <h3>
            候补 <span className="text-3">空出位置时的次序{places && '，括号内是离持有区间的名次'}</span>
          </h3>
          <Row as="p" align="stretch" wrap className={styles.dayReserves}>
            {detail.reserves.slice(0, 12).map((one) => (
              <Security key={one.code} code={one.code} onSecurity={onSecurity}>
                <span className="text-3">{one.rank}</span> {one.name}
                {places && one.rank > places && <span className="text-3">（+{one.rank - places}）</span>}
              </Security>
            ))}
          </Row>
        </>
      )}
      {detail.excluded.length > 0 && (
        <>
          <button type="button" className={`plain ${styles.dayExcluded}`} aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name={open ? 'down' : 'right'} size="small" />
            当日被剔除{detail.excluded.length < listedExcluded ? ' ' : '的，列出 '}
            {detail.excluded.length} 只
          </button>
          {open && (
            <ScrollBox label="当日被剔除的证券" className={styles.dayExcludedList}>
              <ul className={styles.dayTrades}>
                {detail.excluded.map((one) => (
                  <li key={`${one.code} ${one.rule}`}>
                    <b>{one.name}</b>
                    <small>{one.rule}</small>
                  </li>
                ))}
              </ul>
            </ScrollBox>
          )}
        </>
      )}
    </section>
  )
}

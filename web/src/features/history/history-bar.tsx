import { weekdayName } from '../../base/dates.ts'
import { signedPercent, tone } from '../../base/format.ts'
import { usePhone } from '../../base/use-phone.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Segmented } from '../../ui/controls.tsx'
import { DailyLimitNotice } from '../../ui/daily-limit-notice.tsx'
import { Row } from '../../ui/layout.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { DataRange } from '../rule/draft.ts'
import { TradingDateField } from '../rule/trading-date-field.tsx'
import { type Closed, stepDay } from '../rule/trading-days.ts'
import { afterOf, type HistoryDay, type Horizon, horizons, horizonWords, leadOf, leadsOf } from './after.ts'
import { DayPicker } from './day-picker.tsx'
import styles from './history.module.css'

/** Which day, or which days, and how far to look ahead; what came of it in one line. */
export function HistoryBar({
  date,
  several,
  range,
  horizon,
  closed,
  left,
  running,
  days,
  mostDates,
  onDate,
  onStep,
  onDates,
  onPeriodEnds,
  onHorizon,
  onRun,
}: {
  date: string | null
  several: readonly string[] | null
  range: DataRange | null
  horizon: Horizon
  closed: Closed
  left: number | null
  running: boolean
  days: readonly HistoryDay[] | null
  mostDates: number
  onDate: (date: string) => void
  onStep: (by: 1 | -1) => void
  onDates: (dates: readonly string[]) => void
  /** The ends of the last months, or quarters. */
  onPeriodEnds: (months: 1 | 3) => void
  onHorizon: (horizon: Horizon) => void
  onRun: () => void
}) {
  const phone = usePhone()
  return (
    <Card plain className={styles.bar} label="日期">
      <div className={styles.line}>
        <Segmented
          label="看一天还是多天"
          value={several ? 'several' : 'one'}
          choices={[
            { value: 'one', label: '一天' },
            { value: 'several', label: '多天' },
          ]}
          onChange={(mode) => (mode === 'several' ? onDates(date ? [date] : []) : onDate(several?.at(-1) ?? date ?? ''))}
        />
        {!several && date && range && (
          <span className={styles.stepper}>
            <Button
              icon="left"
              aria-label="上一交易日"
              title="上一交易日 ←"
              disabled={stepDay(date, -1, range, closed) === null}
              onClick={() => onStep(-1)}
            />
            <TradingDateField label="日期" value={date} min={range.start} max={range.end} onChange={onDate} />
            <span className="text-2">{weekdayName(date)}</span>
            <Button
              icon="right"
              aria-label="下一交易日"
              title="下一交易日 →"
              disabled={stepDay(date, 1, range, closed) === null}
              onClick={() => onStep(1)}
            />
          </span>
        )}
        {several && range && (
          <>
            <DayPicker
              words={`${several.length} / ${mostDates} 天`}
              chosen={several}
              range={range}
              onPick={(day) => onDates(several.includes(day) ? several.filter((one) => one !== day) : [...several, day])}
            />
            <Button look={['small']} onClick={() => onPeriodEnds(1)}>
              近 12 个月末
            </Button>
            <Button look={['small']} onClick={() => onPeriodEnds(3)}>
              近 12 个季末
            </Button>
          </>
        )}
        <span className="grow" />
        <span className={styles.line}>
          <span className="text-2">入选后收益</span>
          <Segmented
            label="入选后收益"
            value={horizon}
            choices={horizons.map((value) => ({ value, label: horizonWords[value] }))}
            onChange={onHorizon}
          />
        </span>
        {several && (
          <Button
            look={['outline']}
            icon="play"
            disabled={running || left === 0 || several.length === 0}
            title={left ? `今日还可查 ${left} 次` : undefined}
            onClick={onRun}
          >
            {running ? '正在计算…' : '运行'}
          </Button>
        )}
      </div>
      <DailyLimitNotice benefit="history_screen" left={left} />
      {several && several.length > 0 && (
        <Row gap={4} align="stretch" wrap>
          {several.map((day) => (
            <Tag key={day} name={day} onRemove={() => onDates(several.filter((one) => one !== day))}>
              {day}
            </Tag>
          ))}
        </Row>
      )}
      {!several && <p className="size-12 text-3">休市日自动跳到上一交易日{phone ? '' : '；← → 换一天'}。名单只用当天收盘时已知的数据。</p>}
      {days &&
        days.length > 0 &&
        (several ? <LeadsLine days={days} horizon={horizon} /> : days[0] && <MeansLine day={days[0]} horizon={horizon} />)}
    </Card>
  )
}

function MeansLine({ day, horizon }: { day: HistoryDay; horizon: Horizon }) {
  const after = afterOf(day, horizon)
  const lead = leadOf(after)
  return (
    <Row as="dl" align="baseline" wrap className={styles.means} aria-label="事后数据">
      <div>
        <dt>名单均值</dt>
        <dd className={tone(after?.list_mean)}>{signedPercent(after?.list_mean)}</dd>
      </div>
      <div>
        <dt>全池等权</dt>
        <dd className={tone(after?.pool_mean)}>{signedPercent(after?.pool_mean)}</dd>
      </div>
      <div>
        <dt>差</dt>
        <dd className={tone(lead)}>{signedPercent(lead)}</dd>
      </div>
      <div className={styles.more}>
        <dt>口径</dt>
        <dd>
          {after === null
            ? '之后的数据还没有'
            : `${day.trade_date} 收盘买入持有 ${after.horizon} 个交易日，等权，不计成本；中途退市按最后价`}
        </dd>
      </div>
    </Row>
  )
}

function LeadsLine({ days, horizon }: { days: readonly HistoryDay[]; horizon: Horizon }) {
  const { known, ahead, mean } = leadsOf(days, horizon)
  return (
    <Row as="dl" align="baseline" wrap className={styles.means} aria-label="事后数据">
      <div>
        <dt>领先全池的日子</dt>
        <dd>
          {ahead} / {known}
        </dd>
      </div>
      <div>
        <dt>平均差</dt>
        <dd className={tone(mean)}>{signedPercent(mean)}</dd>
      </div>
      <div className={styles.more}>
        <dt>口径</dt>
        <dd>
          每个日期收盘买入名单并持有{horizon === 'latest' ? '至今' : ` ${horizon} 个交易日`}，等权，不计成本；日期太少，只能当作例子看
        </dd>
      </div>
    </Row>
  )
}

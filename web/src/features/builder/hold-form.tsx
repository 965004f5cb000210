import { holdRanges, isFraction } from '@convexa/contract/enums/hold-range'
import { holdWeights, isByFactor } from '@convexa/contract/enums/hold-weight'
import { periodOf, rebalanceTypes } from '@convexa/contract/enums/rebalance-type'
import { choicesOf, valuesOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { Parameters } from '@convexa/contract/strategy'
import { leastCash } from '@convexa/engine/screen'
import { useState } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { type Choice, NumberField, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Section } from '../../ui/section.tsx'
import { unfilled } from '../rule/draft.ts'
import { share } from '../rule/summary.ts'
import styles from './builder.module.css'
import { type BuilderPart, mistakeAt } from './builder-part.ts'
import { DailyTurnover } from './daily-turnover.tsx'
import { FactorPicker } from './factor-picker.tsx'
import { StopForm, TimingForm } from './stop-form.tsx'

type Hold = Parameters['hold_method']
type TimingRow = NonNullable<Parameters['timing']>[number]
type Rebalance = Parameters['rebalance_method']

const periods = valuesOf(rebalanceTypes).map((value) => ({ value, label: rebalanceTypes[value].short }))
const emptySlots: readonly Choice<Hold['empty_slot']>[] = [
  { value: 'next', label: '空位顺延' },
  { value: 'cash', label: '空位持币' },
]

/** 5 持仓与轮动: how many, how much each, when. */
export function HoldForm({ parameters, edit, factors, mistakes, counts }: BuilderPart) {
  const market = useMarket()
  const [picking, setPicking] = useState<'weight' | 'timing' | null>(null)
  const { hold_method: hold, rebalance_method: rebalance } = parameters
  const change = (part: Partial<Hold>) => edit((before) => ({ ...before, hold_method: { ...before.hold_method, ...part } }))
  const setRebalance = (part: Partial<Rebalance>) =>
    edit((before) => ({ ...before, rebalance_method: { ...before.rebalance_method, ...part } }))
  const at = (...places: readonly string[]) => mistakeAt(mistakes, ...places)
  const timing = parameters.timing?.find(({ rule }) => timingRules[rule].value !== null) ?? null
  const setTiming = (row: TimingRow | null) => edit(({ timing: _, ...before }) => (row ? { ...before, timing: [row] } : before))
  const period = periodOf(rebalance)
  const byFraction = isFraction(hold)
  const setType = (type: Hold['hold_range_type']) =>
    change({
      hold_range_type: type,
      ...(holdRanges[type].fraction ? { hold_range_start: 0, hold_range_end: 0.1 } : { hold_range_start: 1, hold_range_end: 10 }),
    })
  const setWeight = (type: Hold['hold_weight_type']) =>
    edit((before) => {
      const { hold_weight_factor: factor, ...rest } = before.hold_method
      return {
        ...before,
        hold_method: { ...rest, hold_weight_type: type, ...(isByFactor(type) ? { hold_weight_factor: factor ?? 'close' } : {}) },
      }
    })
  const cash = at('hold.range', 'hold.max_weight') ? 0 : leastCash(hold, counts?.pool ?? null)
  const places = ['stop', 'timing', 'hold.range', 'hold.weight', 'rebalance', 'hold.threshold', 'hold.max_weight', 'hold.days']
  return (
    <Section
      name="builder.hold"
      number={5}
      title="持仓与轮动"
      result={byFraction || at('hold.range') ? null : `${hold.hold_range_end - hold.hold_range_start + 1} 只`}
      wrong={places.some((place) => at(place))}
    >
      <div className={styles.line}>
        <Select
          label={ruleLabels.hold_range_type}
          width={84}
          value={hold.hold_range_type}
          choices={choicesOf(holdRanges)}
          onChange={setType}
        />
        <NumberField
          label={ruleLabels.hold_range_start}
          width={40}
          scale={byFraction ? 100 : 1}
          value={hold.hold_range_start}
          onChange={(value) => change({ hold_range_start: value ?? unfilled })}
          invalid={at('hold.range') !== undefined}
        />
        <span className="text-3">–</span>
        <NumberField
          label={ruleLabels.hold_range_end}
          width={44}
          scale={byFraction ? 100 : 1}
          value={hold.hold_range_end}
          onChange={(value) => change({ hold_range_end: value ?? unfilled })}
          invalid={at('hold.range') !== undefined}
        />
        <span className={`grow ${styles.break}`} />
        <span className="text-2">权重</span>
        <Select
          label={ruleLabels.hold_weight_type}
          width={88}
          value={hold.hold_weight_type}
          choices={choicesOf(holdWeights, market.id)}
          onChange={setWeight}
        />
      </div>
      {isByFactor(hold.hold_weight_type) && (
        <div className={styles.line}>
          <span className="grow" />
          <span className="text-2">{ruleLabels.hold_weight_factor}</span>
          <button type="button" className={`field ${styles.factorButton} ${styles.fixed}`} onClick={() => setPicking('weight')}>
            <span>{factors.nameOf(hold.hold_weight_factor ?? '')}</span>
          </button>
        </div>
      )}
      <FieldError>{at('hold.range', 'hold.weight')}</FieldError>
      <div className={styles.line}>
        <span className="text-2">每</span>
        {period === null && (
          <NumberField
            label={ruleLabels.rebalance_value}
            width={40}
            value={rebalance.rebalance_value}
            onChange={(value) => setRebalance({ rebalance_value: value ?? unfilled })}
            invalid={at('rebalance') !== undefined}
          />
        )}
        <Select
          label={ruleLabels.rebalance_type}
          width={period === null ? 84 : 52}
          value={rebalance.rebalance_type}
          choices={periods}
          onChange={(rebalance_type) => setRebalance({ rebalance_type, rebalance_value: 1 })}
        />
        {period !== null && (
          <>
            <span className="text-2">第</span>
            <NumberField
              label="第几个交易日"
              width={36}
              value={rebalance.rebalance_value}
              onChange={(value) => setRebalance({ rebalance_value: value ?? unfilled })}
              invalid={at('rebalance') !== undefined}
            />
            <span className="text-2" title="负数从末尾数起">
              个交易日
            </span>
          </>
        )}
        <span className="grow" />
        <span className="text-2">{ruleLabels.hold_threshold} ≥</span>
        <NumberField
          label={ruleLabels.hold_threshold}
          width={40}
          value={hold.hold_threshold}
          onChange={(value) => change({ hold_threshold: value ?? unfilled })}
          invalid={at('hold.threshold') !== undefined}
        />
        <span className="text-2">才换</span>
      </div>
      <FieldError>{at('rebalance', 'hold.threshold')}</FieldError>
      {period === null && rebalance.rebalance_value === 1 && <DailyTurnover ready={counts !== null} />}
      <div className={styles.line}>
        <span className="text-2">{ruleLabels.hold_max_weight}</span>
        <NumberField
          label={ruleLabels.hold_max_weight}
          unit="%"
          width={56}
          scale={100}
          value={hold.hold_max_weight}
          onChange={(value) => change({ hold_max_weight: value ?? unfilled })}
          invalid={at('hold.max_weight') !== undefined}
        />
        <span className="grow" />
        <span className="text-2">最短持有</span>
        <NumberField
          label={ruleLabels.hold_days}
          unit="日"
          width={52}
          value={parameters.hold_days}
          onChange={(value) => edit((before) => ({ ...before, hold_days: value ?? unfilled }))}
          invalid={at('hold.days') !== undefined}
        />
        <Select label="空位" width={84} value={hold.empty_slot} choices={emptySlots} onChange={(empty_slot) => change({ empty_slot })} />
      </div>
      <FieldError>{at('hold.max_weight', 'hold.days')}</FieldError>
      {cash > 0 && (
        <p className={`${styles.rowNotes} warn`}>
          <span>
            <Icon name="warn" size="small" />
            {`${byFraction ? `按最新一天的 ${counts?.pool} 只计算，` : ''}单只最多占 ${share(hold.hold_max_weight)}，最多用到 ${share(1 - cash)} 的资金，其余 ${share(cash)} 留作现金`}
          </span>
        </p>
      )}
      <StopForm
        stop={parameters.stop_method}
        mistakes={mistakes}
        onChange={(stop_method) => edit((before) => ({ ...before, stop_method }))}
      />
      <TimingForm
        row={timing}
        name={factors.nameOf(timing?.factor_key ?? '')}
        mistakes={mistakes}
        onChange={setTiming}
        onPick={() => setPicking('timing')}
      />
      {picking && (
        <FactorPicker
          title={`选择${picking === 'timing' ? '择时' : '加权'}因子 · ${market.label}`}
          factors={factors}
          onClose={() => setPicking(null)}
          onPick={(ref) => {
            if (picking === 'weight') change({ hold_weight_factor: ref })
            else if (timing) setTiming({ ...timing, factor_key: ref })
            setPicking(null)
          }}
        />
      )}
    </Section>
  )
}

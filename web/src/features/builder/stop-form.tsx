import { type StopBase, stopBases } from '@convexa/contract/enums/stop-base'
import { hasStop, type StopField, type StopType, stopFields, stopTypes } from '@convexa/contract/enums/stop-type'
import { choicesOf, labelOf } from '@convexa/contract/enums/table'
import { timingRules } from '@convexa/contract/enums/timing-rule'
import { ruleLabels } from '@convexa/contract/rule-labels'
import type { Parameters } from '@convexa/contract/strategy'
import { Button } from '../../ui/button.tsx'
import { type Choice, NumberField, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { unfilled } from '../rule/draft.ts'
import type { ValidationIssue } from '../rule/validate.ts'
import styles from './builder.module.css'
import { mistakeAt } from './builder-part.ts'

type Stop = Parameters['stop_method']

const types: readonly Choice<StopType>[] = choicesOf(stopTypes)
const bases: readonly Choice<StopBase>[] = choicesOf(stopBases)
/** What each number begins with. */
const firstValues: Record<StopField, number> = { take_profit: 0.1, stop_loss: 0.08, activate: 0.08, drawdown: 0.03 }
const fieldsOf = (type: StopType): readonly StopField[] => stopTypes[type].fields
/** What a stop during the day takes for granted. */
const caveats: Record<StopType, string | null> = {
  0: null,
  1: '盘中止盈依赖日内最高价，回测会假设以止盈价成交',
  2: '盘中止损依赖日内最低价，回测会假设以止损价成交',
  3: '盘中止盈止损依赖日内最高价与最低价，回测会假设以触发价成交',
  4: null,
  5: null,
}

/** Stops: none, or at a bound that is looked at during the day, at its close, or that follows the price. */
export function StopForm({
  stop,
  mistakes,
  onChange,
}: {
  stop: Stop
  mistakes: readonly ValidationIssue[]
  onChange: (stop: Stop) => void
}) {
  const mistake = mistakeAt(mistakes, 'stop')
  const setType = (stop_type: StopType) =>
    onChange({
      stop_type,
      ...Object.fromEntries(fieldsOf(stop_type).map((key) => [key, stop[key] ?? firstValues[key]])),
      ...(hasStop(stop_type) ? { base: stop.base ?? 'cost' } : {}),
    })
  return (
    <>
      <div className={styles.line}>
        <span className="text-2">{ruleLabels.stop_method}</span>
        <Select label={ruleLabels.stop_method} width={112} value={stop.stop_type} choices={types} onChange={setType} />
        <span className="grow" />
        {hasStop(stop.stop_type) && (
          <>
            <span className="text-2">对比</span>
            <Select
              label={ruleLabels.base}
              width={76}
              // As the engine reads a rule that does not say.
              value={stop.base ?? 'prev_close'}
              choices={bases}
              onChange={(base) => onChange({ ...stop, base })}
            />
          </>
        )}
      </div>
      {hasStop(stop.stop_type) && (
        <div className={styles.line}>
          <span className={`${styles.wordBox} ${styles.wide}`} />
          {fieldsOf(stop.stop_type).map((key) => (
            <NumberField
              key={key}
              label={labelOf(stopFields, key)}
              before={stopFields[key].short}
              unit="%"
              width={104}
              scale={100}
              value={stop[key] ?? null}
              onChange={(value) => onChange({ ...stop, [key]: value ?? unfilled })}
              invalid={mistake !== undefined}
            />
          ))}
        </div>
      )}
      <FieldError>{mistake}</FieldError>
      {caveats[stop.stop_type] && (
        <p className={`${styles.rowNotes} warn`}>
          <span>
            <Icon name="warn" size="small" />
            {caveats[stop.stop_type]}
          </span>
        </p>
      )}
    </>
  )
}

type TimingRow = NonNullable<Parameters['timing']>[number]
const rules: readonly Choice<TimingRow['rule']>[] = choicesOf(timingRules)

/** Timing: how much is held at all, by the mean of the benchmark or by a factor of the pool. */
export function TimingForm({
  row,
  name,
  mistakes,
  onChange,
  onPick,
}: {
  row: TimingRow | null
  /** Of the factor that it looks at. */
  name: string
  mistakes: readonly ValidationIssue[]
  onChange: (row: TimingRow | null) => void
  onPick: () => void
}) {
  const mistake = mistakeAt(mistakes, 'timing')
  const rule = row?.rule ?? 'none'
  const setRule = (next: TimingRow['rule']) => {
    if (next === 'none') onChange(null)
    else if (next === 'ma_cross') onChange({ rule: next, value: 20, exposure: 0 })
    else onChange({ rule: next, value: unfilled, exposure: 0.5, ...(row?.factor_key ? { factor_key: row.factor_key } : {}) })
  }
  return (
    <>
      <div className={styles.line}>
        <span className="text-2">择时</span>
        <Select label={ruleLabels.rule} width={92} value={rule} choices={rules} onChange={setRule} />
        <span className="grow" />
        {row && timingRules[rule].value === 'days' && (
          <>
            <span className="text-2">基准低于</span>
            <NumberField
              label="均线天数"
              unit="日线"
              width={72}
              value={row.value ?? null}
              onChange={(value) => onChange({ ...row, value: value ?? unfilled })}
              invalid={mistake !== undefined}
            />
          </>
        )}
        {row && timingRules[rule].value === 'level' && (
          <>
            <Button look={['small']} onClick={onPick}>
              {row.factor_key ? name : '选择因子'}
            </Button>
            <span className="text-2">高于</span>
            <NumberField
              label="择时阈值"
              width={64}
              value={row.value ?? null}
              onChange={(value) => onChange({ ...row, value: value ?? unfilled })}
              invalid={mistake !== undefined}
            />
          </>
        )}
      </div>
      {row && timingRules[rule].value !== null && (
        <div className={styles.line}>
          <span className="grow" />
          <span className="text-2">时仓位降到</span>
          <NumberField
            label={ruleLabels.exposure}
            unit="%"
            width={64}
            scale={100}
            value={row.exposure}
            onChange={(value) => onChange({ ...row, exposure: value ?? unfilled })}
            invalid={mistake !== undefined}
          />
        </div>
      )}
      <FieldError>{mistake}</FieldError>
    </>
  )
}

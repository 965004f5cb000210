import type { Parameters } from '@convexa/contract/strategy'
import { Button } from '../../ui/button.tsx'
import { type Choice, NumberField, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Icon } from '../../ui/icon.tsx'
import { unfilled } from '../draft.ts'
import { stopWords } from '../words.ts'
import { mistakeAt } from './builder-part.ts'
import type { Mistake } from './validate.ts'

type Stop = Parameters['stop_method']
type StopType = Stop['stop_type']
type Bound = 'take_profit' | 'stop_loss' | 'activate' | 'drawdown'

const types = ([0, 1, 2, 3, 4, 5] as const).map((value) => ({ value, label: stopWords[value] ?? '' }))
const bases: readonly Choice<NonNullable<Stop['base']>>[] = [
  { value: 'cost', label: '成本价' },
  { value: 'prev_close', label: '昨收价' },
]
/** What each kind asks for, and what it begins with. */
const asked: Record<StopType, readonly (readonly [Bound, string, number])[]> = {
  0: [],
  1: [['take_profit', '止盈', 0.1]],
  2: [['stop_loss', '止损', 0.08]],
  3: [
    ['take_profit', '止盈', 0.1],
    ['stop_loss', '止损', 0.08],
  ],
  4: [
    ['take_profit', '止盈', 0.1],
    ['stop_loss', '止损', 0.08],
  ],
  5: [
    ['activate', '激活', 0.08],
    ['drawdown', '回撤', 0.03],
  ],
}
const intraday: ReadonlySet<StopType> = new Set([1, 2, 3])

/** Stops: none, or at a bound that is looked at during the day, at its close, or that follows the price. */
export function StopForm({ stop, mistakes, onChange }: { stop: Stop; mistakes: readonly Mistake[]; onChange: (stop: Stop) => void }) {
  const mistake = mistakeAt(mistakes, 'stop')
  const setType = (stop_type: StopType) =>
    onChange({
      stop_type,
      ...Object.fromEntries(asked[stop_type].map(([key, , first]) => [key, stop[key] ?? first])),
      ...(stop_type === 0 ? {} : { base: stop.base ?? 'cost' }),
    })
  return (
    <>
      <div className="builder-line">
        <span className="text-2">止盈止损</span>
        <Select label="止盈止损" width={112} value={stop.stop_type} choices={types} onChange={setType} />
        <span className="grow" />
        {stop.stop_type !== 0 && (
          <>
            <span className="text-2">对比</span>
            <Select
              label="止盈止损的基准价"
              width={76}
              // As the engine reads a rule that does not say.
              value={stop.base ?? 'prev_close'}
              choices={bases}
              onChange={(base) => onChange({ ...stop, base })}
            />
          </>
        )}
      </div>
      {stop.stop_type !== 0 && (
        <div className="builder-line">
          <span className="builder-word wide" />
          {asked[stop.stop_type].map(([key, label]) => (
            <NumberField
              key={key}
              label={`${label}幅度`}
              before={label}
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
      {intraday.has(stop.stop_type) && (
        <p className="row-notes warn">
          <span>
            <Icon name="warn" size="small" />
            {stop.stop_type === 2 ? '盘中止损依赖日内最低价，回测会假设以止损价成交' : '盘中止盈依赖日内最高价，回测会假设以止盈价成交'}
          </span>
        </p>
      )}
    </>
  )
}

type TimingRow = NonNullable<Parameters['timing']>[number]
const rules: readonly Choice<TimingRow['rule']>[] = [
  { value: 'none', label: '不启用' },
  { value: 'ma_cross', label: '均线' },
  { value: 'threshold', label: '因子阈值' },
]

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
  mistakes: readonly Mistake[]
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
      <div className="builder-line">
        <span className="text-2">择时</span>
        <Select label="择时方式" width={92} value={rule} choices={rules} onChange={setRule} />
        <span className="grow" />
        {row && rule === 'ma_cross' && (
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
        {row && rule === 'threshold' && (
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
      {row && rule !== 'none' && (
        <div className="builder-line">
          <span className="grow" />
          <span className="text-2">时仓位降到</span>
          <NumberField
            label="择时仓位"
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

import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { type Choice, Select } from '../../ui/controls.tsx'
import { DailyLimitNotice, useMoreForMembers } from '../../ui/daily-limit-notice.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Row } from '../../ui/layout.tsx'
import { RangeFields } from '../builder/range-fields.tsx'
import { type AxisChoice, valueWords } from './axis-choices.ts'
import { cellMetrics } from './cell-metrics.ts'
import { useGridForm } from './grid-form.ts'
import { type AxisForm, cellsMistake, daysBetween, estimateWords, type GridPlan, splitChoices } from './grid-request.ts'
import styles from './grid-view.module.css'

const none = ''
const places = ['横轴', '纵轴', '第三维']
/** What is to be varied, over what range, and how many runs that makes. */
export function GridBar({
  draft,
  choices,
  plan,
  limit,
  left,
  running,
  seconds,
  again,
  onRun,
}: {
  draft: Draft
  choices: readonly AxisChoice[]
  plan: GridPlan
  limit: number
  /** Uses left today; null while unknown. */
  left: number | null
  running: boolean
  /** What the last one took; null when there is none. */
  seconds: number | null
  again: boolean
  onRun: () => void
}) {
  const { axes, split, metric, pace, change } = useGridForm()
  const { start_date: start, end_date: end } = draft.settings
  const offered = splitChoices(start, end)
  const mistakeOf = (axis: number) => (plan.ok ? undefined : plan.mistakes.find((one) => one.axis === axis)?.message)
  const more = useMoreForMembers('grid_cells')
  const tooMany = plan.cells === null ? null : cellsMistake(plan.cells, limit)
  const setAxis = (index: number, form: AxisForm | null) => {
    const next = [...axes]
    if (form) next[index] = form
    else next.splice(index, 1)
    change({ axes: next })
  }
  const splitKey = split.type === 'none' ? 'none' : split.type === 'ratio' ? `ratio ${split.ratio}` : `walk ${split.years}`
  return (
    <Card plain className="analysis-bar" label="网格设置">
      <div className="analysis-fields">
        {places.map((place, index) => (
          <AxisFields
            key={place}
            place={place}
            form={axes[index] ?? null}
            choices={choices}
            optional={index > 0}
            off={index > axes.length}
            message={mistakeOf(index)}
            onChange={(form) => setAxis(index, form)}
          />
        ))}
        <RangeFields draft={draft} />
        <div>
          <span className="text-2">样本外</span>
          <Select
            label="样本外"
            width={offered.length > 4 ? 212 : 104}
            value={splitKey}
            choices={offered}
            onChange={(value) => {
              const [type, number] = value.split(' ')
              if (type === 'ratio') change({ split: { ...split, type, ratio: Number(number) } })
              else if (type === 'walk') change({ split: { ...split, type: 'walk_forward', years: Number(number) } })
              else change({ split: { ...split, type: 'none' } })
            }}
          />
        </div>
        <div>
          <span className="text-2">指标</span>
          <Select
            label="指标"
            width={96}
            value={metric}
            choices={cellMetrics.map(({ key, label }) => ({ value: key, label }))}
            onChange={(next) => change({ metric: next })}
          />
        </div>
        {tooMany && <FieldError>{tooMany + more}</FieldError>}
        <DailyLimitNotice benefit="grid" left={left} />
      </div>
      <div className="analysis-go">
        <div className={tooMany ? 'analysis-size over' : 'analysis-size'} role="status">
          <div>
            <b>{plan.cells ?? '—'}</b> 组
          </div>
          <div>
            上限 {limit} ·{' '}
            {plan.cells === null
              ? '取值有误'
              : seconds !== null && !again
                ? `用时 ${seconds.toFixed(1)} 秒`
                : estimateWords(plan.cells, daysBetween(start, end), pace)}
          </div>
        </div>
        <Button
          look={['primary']}
          icon="play"
          disabled={!plan.ok || axes.length === 0 || tooMany !== null || running || left === 0}
          title={left ? `今日还可运行 ${left} 次` : undefined}
          onClick={onRun}
        >
          {running ? '正在计算…' : seconds === null ? '运行' : '重新运行'}
        </Button>
      </div>
    </Card>
  )
}

function AxisFields({
  place,
  form,
  choices,
  optional,
  off,
  message,
  onChange,
}: {
  place: string
  form: AxisForm | null
  choices: readonly AxisChoice[]
  optional: boolean
  off: boolean
  message: string | undefined
  onChange: (form: AxisForm | null) => void
}) {
  const choice = form && choices.find(({ key }) => key === form.key)
  const options: Choice<string>[] = [
    ...(optional || !form ? [{ value: none, label: '无' }] : []),
    ...(form && !choice ? [{ value: form.key, label: '已不在策略里' }] : []),
    ...choices.map(({ key, label }) => ({ value: key, label })),
  ]
  return (
    <div className={styles.axis}>
      <span className="text-2">{place}</span>
      <Select
        label={place}
        width={form ? 148 : 72}
        disabled={off}
        value={form?.key ?? none}
        choices={options}
        onChange={(key) => {
          const next = choices.find((one) => one.key === key)
          onChange(next ? { key, text: next.suggest } : null)
        }}
      />
      {form && (
        <Row as="span" gap={8} className={styles.axisValues}>
          <TextField
            label={`${place}取值`}
            width={148}
            value={form.text}
            invalid={message !== undefined}
            describedBy={message ? `grid-axis-${place}` : undefined}
            placeholder="5,10,15 或 5:30:5"
            after={choice?.unit ? <span className="unit">{choice.unit}</span> : undefined}
            onChange={(text) => onChange({ ...form, text })}
          />
          {message ? (
            <FieldError id={`grid-axis-${place}`}>{message}</FieldError>
          ) : (
            choice && choice.now !== null && <small className="text-3">当前 {valueWords(choice, choice.now)}</small>
          )}
        </Row>
      )}
    </div>
  )
}

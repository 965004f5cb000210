import { adjustments } from '@convexa/contract/enums/adjust'
import { callHandlings } from '@convexa/contract/enums/call-handling'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { labelOf } from '@convexa/contract/enums/table'
import { useState } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, type Range, useStrategies } from '../../state/drafts.ts'
import { Card } from '../../ui/card.tsx'
import { Checkbox, Segmented, Select } from '../../ui/controls.tsx'
import { DailyLimitNotice } from '../../ui/daily-limit-notice.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Stack } from '../../ui/layout.tsx'
import { RangeFields } from '../builder/range-fields.tsx'
import { benchNote } from '../rule/bench-name.ts'
import { capitalWords } from '../rule/capital-words.ts'
import { datesOf, lastFifth, withDates } from '../rule/draft.ts'
import { rangeChoices, rangeHint } from '../rule/range-choices.ts'
import { costWords, holdWords, rebalanceWords } from '../rule/rule-text.ts'
import { TradingDateField } from '../rule/trading-date-field.tsx'
import { useDraft } from '../rule/use-draft.ts'
import { settingMistakes } from '../rule/validate.ts'
import styles from './backtest-run-setup.module.css'

/** The contract's limit of a note. */
export const mostNote = 200

/** What is about to be run: the settings that are changed from run to run, the others in words, and the remark it will be found by. */
export function RunSetup({
  draft,
  name,
  left,
  atOnce,
  note,
  onNote,
}: {
  draft: Draft
  /** What its run will be called. */
  name: string
  /** Runs left today; null while unknown. */
  left: number | null
  atOnce: number | null
  /** As it will be stored: made from what is different, until somebody writes one. */
  note: string
  onNote: (note: string | null) => void
}) {
  const market = useMarket()
  const { id: kind } = market
  const { options, range, editSettings } = useDraft()
  const { settings } = draft
  const setRange = (chosen: Range) =>
    range &&
    useStrategies
      .getState()
      .edit(kind, (before) => ({ ...before, range: chosen, settings: withDates(before.settings, datesOf(chosen, kind, range)) }))
  const benchmarks = (options?.benchmarks ?? [])
    .filter((one) => one.kind === kind)
    .map(({ value, label, available }) => ({ value, label: available ? label : `${label}（无数据）`, disabled: !available }))
  const hint = rangeHint(market, settings)
  const oosMistake = settingMistakes(settings, range).find(({ place }) => place === 'settings.oos')?.message
  return (
    <Card
      className={styles.runSetup}
      title={`将要运行：${name}`}
      label="将要运行"
      note="按历史逐日回放策略条件，扣除成本"
      tools={
        <span className="text-3">
          {left !== null && `今日还可运行 ${left} 次`}
          {atOnce !== null && ` · 同时计算 ${atOnce} 个，其余排队`}
        </span>
      }
      bare
    >
      <Stack gap={8} className={styles.runSetupFields}>
        <div>
          <RangeFields draft={draft} />
          <Segmented label="常用区间" value={draft.range} choices={rangeChoices(market, range)} onChange={setRange} />
          {hint && <span className="text-2 size-12">{hint}</span>}
        </div>
        <div>
          <span className="text-2">基准</span>
          <Select
            label="对照基准"
            width={144}
            value={settings.benchmark}
            choices={benchmarks}
            onChange={(benchmark) => editSettings((before) => ({ ...before, benchmark }))}
          />
          <span className="text-3 size-12">{benchNote(settings.benchmark)}</span>
          <Checkbox
            checked={Boolean(settings.oos_start)}
            onChange={(on) =>
              editSettings((before) => ({ ...before, oos_start: on ? lastFifth(before.start_date, before.end_date) : null }))
            }
          >
            样本外从
          </Checkbox>
          {settings.oos_start && (
            <TradingDateField
              label="样本外从哪天起"
              value={settings.oos_start}
              min={settings.start_date}
              max={settings.end_date}
              invalid={oosMistake !== undefined}
              onChange={(oos_start) => editSettings((before) => ({ ...before, oos_start }))}
            />
          )}
          <FieldError>{oosMistake}</FieldError>
        </div>
        <NoteField note={note} onNote={onNote} />
        <DailyLimitNotice benefit="backtest" left={left} />
      </Stack>
      <Facts draft={draft} />
    </Card>
  )
}

function NoteField({ note, onNote }: { note: string; onNote: (note: string | null) => void }) {
  const [own, setOwn] = useState(false)
  const long = [...note].length > mostNote
  return (
    <div className={styles.runSetupNote}>
      <span className="text-2">备注</span>
      <TextField
        label="备注"
        value={note}
        invalid={long}
        placeholder="选填，最多 200 字"
        onChange={(text) => {
          setOwn(true)
          onNote(text)
        }}
      />
      {own ? (
        <button
          type="button"
          className="link size-12"
          onClick={() => {
            setOwn(false)
            onNote(null)
          }}
        >
          恢复自动备注
        </button>
      ) : (
        <span className="text-3 size-12">自动写入与上次运行的不同，可以改</span>
      )}
      <FieldError>{long ? `备注最多 ${mostNote} 字` : undefined}</FieldError>
    </div>
  )
}

/** What is set in the builder, in words. */
function Facts({ draft: { parameters, settings } }: { draft: Draft }) {
  const { redeemed, dutied } = useMarket()
  const facts: readonly (readonly [name: string, value: string, more: string])[] = [
    ['规则', rebalanceWords(parameters.rebalance_method), holdWords(parameters.hold_method)],
    ['本金', capitalWords(settings.capital), executions[settings.execution].frictionless ? '不取整' : '按最小交易单位取整'],
    ['成本', costWords(settings, dutied), ''],
    ['成交', labelOf(fills, settings.fill), labelOf(executions, settings.execution)],
    redeemed
      ? ['强赎', labelOf(callHandlings, settings.call_handling), '公告后按规则处理']
      : ['复权', labelOf(adjustments, settings.adjust), ''],
  ]
  return (
    <dl>
      {facts.map(([name, value, more]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {more && <dd className={styles.more}>{more}</dd>}
        </div>
      ))}
    </dl>
  )
}

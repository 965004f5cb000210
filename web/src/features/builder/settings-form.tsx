import type { Settings } from '@convexa/contract/backtest'
import { adjustments } from '@convexa/contract/enums/adjust'
import { callHandlings as callHandlingRows } from '@convexa/contract/enums/call-handling'
import { executions as executionRows } from '@convexa/contract/enums/execution'
import { fills as fillRows } from '@convexa/contract/enums/fill'
import { choicesOf, labelOf } from '@convexa/contract/enums/table'
import type { StrategyOptions } from '@convexa/contract/reference'
import { ruleLabels } from '@convexa/contract/rule-labels'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, type Range, useStrategies } from '../../state/drafts.ts'
import { Checkbox, NumberField, Segmented, Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Section } from '../../ui/section.tsx'
import { benchNote } from '../rule/bench-name.ts'
import { capitalWords } from '../rule/capital-words.ts'
import { datesOf, lastFifth, unfilled, withDates } from '../rule/draft.ts'
import { rangeChoices, rangeHint } from '../rule/range-choices.ts'
import { costParts } from '../rule/rule-text.ts'
import { TradingDateField } from '../rule/trading-date-field.tsx'
import type { ValidationIssue } from '../rule/validate.ts'
import styles from './builder.module.css'
import { mistakeAt } from './builder-part.ts'

const fills = choicesOf(fillRows)
const executions = choicesOf(executionRows)
const callHandlings = choicesOf(callHandlingRows)
const adjusts = choicesOf(adjustments).map(({ value, label, hint }) => ({ value, label: hint ? `${label}（${hint}）` : label }))

/** 6 成本与成交: what a backtest needs beyond the strategy. */
export function SettingsForm({
  draft,
  options,
  mistakes,
  open,
}: {
  draft: Draft
  options: StrategyOptions | undefined
  mistakes: readonly ValidationIssue[]
  /** The page runs backtests. */
  open: boolean
}) {
  const market = useMarket()
  const { settings } = draft
  const { cost } = settings
  const edit = useStrategies((state) => state.edit)
  const change = (part: Partial<Settings>) => edit(market.id, (before) => ({ ...before, settings: { ...before.settings, ...part } }))
  const setCost = (part: Partial<Settings['cost']>) => change({ cost: { ...cost, ...part } })
  const setDates = (dates: Partial<Pick<Settings, 'start_date' | 'end_date'>>) =>
    edit(market.id, (before) => ({ ...before, range: null, settings: withDates(before.settings, { ...before.settings, ...dates }) }))
  const data = options?.ranges[market.id] ?? null
  const setRange = (range: Range) =>
    data && edit(market.id, (before) => ({ ...before, range, settings: withDates(before.settings, datesOf(range, market.id, data)) }))
  const benchmarks = (options?.benchmarks ?? [])
    .filter(({ kind }) => kind === market.id)
    .map(({ value, label, available }) => ({ value, label: available ? label : `${label}（无数据）`, disabled: !available }))
  const presets = (options?.cost_presets ?? []).filter(({ kind }) => kind === market.id)
  const preset = presets.findIndex(
    (one) =>
      one.buy_rate === cost.buy_rate &&
      one.sell_rate === cost.sell_rate &&
      one.slippage === (cost.slippage ?? 0) &&
      one.min_fee === (cost.min_fee ?? 0),
  )
  const at = (place: string) => mistakeAt(mistakes, place)
  const costs = costParts(settings, market.dutied, true)
  // What a run costs comes first: fill and capital stand below it where there is room.
  const result =
    mistakes.length > 0
      ? null
      : [
          ...costs.map((part) => part.replace('单边成本 ', '')),
          ...(costs.length > 1 ? [] : [labelOf(fillRows, settings.fill), capitalWords(settings.capital)]),
        ].join(' · ')
  const hint = rangeHint(market, settings)
  const about = benchNote(settings.benchmark)
  return (
    <Section
      key={open ? 'backtest' : 'screen'}
      name={open ? 'builder.settings.backtest' : 'builder.settings'}
      number={6}
      title="成本与成交"
      note="仅回测"
      result={result}
      folded={!open}
      wrong={mistakes.length > 0}
    >
      <div className={styles.line}>
        <span className={`text-2 ${styles.wordBox}`}>区间</span>
        <TradingDateField
          label={ruleLabels.start_date}
          value={settings.start_date}
          min={data?.start}
          max={data?.end}
          onChange={(start_date) => setDates({ start_date })}
          invalid={at('settings.range') !== undefined}
        />
        <span className="text-3">~</span>
        <TradingDateField
          label={ruleLabels.end_date}
          value={settings.end_date}
          min={data?.start}
          max={data?.end}
          onChange={(end_date) => setDates({ end_date })}
          invalid={at('settings.range') !== undefined}
        />
      </div>
      <div className={styles.line}>
        <span className={styles.wordBox} />
        <Segmented
          label="区间"
          value={draft.range}
          choices={rangeChoices(market, data).filter(({ value }) => value !== '2018')}
          onChange={setRange}
        />
      </div>
      <FieldError>{at('settings.range')}</FieldError>
      {hint && <p className="note">{hint}</p>}
      <div className={styles.line}>
        <span className={`text-2 ${styles.wordBox}`}>基准</span>
        <Select label="基准" width="fill" value={settings.benchmark} choices={benchmarks} onChange={(benchmark) => change({ benchmark })} />
        <span className="text-2">本金</span>
        <NumberField
          label="本金"
          unit="万元"
          width={92}
          value={settings.capital}
          onChange={(value) => change({ capital: value ?? unfilled })}
          invalid={at('settings.capital') !== undefined}
        />
      </div>
      {about !== '' && <p className="note">基准：{about}</p>}
      <FieldError>{at('settings.capital')}</FieldError>
      <div className={styles.line}>
        <span className={`text-2 ${styles.wordBox}`}>成本</span>
        <NumberField
          label={ruleLabels.buy_rate}
          before="买"
          unit="%"
          width={88}
          scale={100}
          value={cost.buy_rate}
          onChange={(value) => setCost({ buy_rate: value ?? unfilled })}
          invalid={at('settings.cost') !== undefined}
        />
        <NumberField
          label={ruleLabels.sell_rate}
          before="卖"
          unit="%"
          width={88}
          scale={100}
          value={cost.sell_rate}
          onChange={(value) => setCost({ sell_rate: value ?? unfilled })}
          invalid={at('settings.cost') !== undefined}
        />
        <NumberField
          label="滑点"
          before="滑点"
          unit="%"
          width={98}
          scale={100}
          value={cost.slippage === undefined ? 0 : cost.slippage}
          onChange={(value) => setCost({ slippage: value ?? unfilled })}
          invalid={at('settings.cost') !== undefined}
        />
      </div>
      <div className={styles.line}>
        <span className={styles.wordBox} />
        {presets.length > 0 && (
          <Select
            label="成本预设"
            width="fill"
            value={preset}
            choices={[
              ...(preset < 0 ? [{ value: -1, label: '自定义成本' }] : []),
              ...presets.map(({ label }, value) => ({ value, label })),
            ]}
            onChange={(index) => {
              const chosen = presets[index]
              if (chosen) {
                const { buy_rate, sell_rate, slippage, min_fee } = chosen
                setCost({ buy_rate, sell_rate, slippage, min_fee })
              }
            }}
          />
        )}
        <NumberField
          label={ruleLabels.min_fee}
          before="最低"
          unit="元"
          width={92}
          value={cost.min_fee === undefined ? 0 : cost.min_fee}
          onChange={(value) => setCost({ min_fee: value ?? unfilled })}
          invalid={at('settings.cost') !== undefined}
        />
      </div>
      <FieldError>{at('settings.cost')}</FieldError>
      <div className={styles.line}>
        <span className={`text-2 ${styles.wordBox}`}>成交</span>
        <Select
          label={ruleLabels.execution}
          width={92}
          value={settings.execution}
          choices={executions}
          onChange={(execution) => change({ execution })}
        />
        <Select label="成交价" width={92} value={settings.fill} choices={fills} onChange={(fill) => change({ fill })} />
        {!market.redeemed && (
          <Select
            label={ruleLabels.adjust}
            width="fill"
            value={settings.adjust}
            choices={adjusts}
            onChange={(adjust) => change({ adjust })}
          />
        )}
      </div>
      {market.redeemed && (
        <div className={styles.line}>
          <span className={`text-2 ${styles.wordBox}`}>强赎</span>
          <Select
            label={ruleLabels.call_handling}
            width="fill"
            value={settings.call_handling}
            choices={callHandlings}
            onChange={(call_handling) => change({ call_handling })}
          />
        </div>
      )}
      <div className={styles.line}>
        <span className={styles.wordBox} />
        <Checkbox
          checked={Boolean(settings.oos_start)}
          onChange={(on) => change({ oos_start: on ? lastFifth(settings.start_date, settings.end_date) : null })}
        >
          {ruleLabels.oos_start}
        </Checkbox>
        {settings.oos_start && (
          <TradingDateField
            label={ruleLabels.oos_start}
            value={settings.oos_start}
            min={settings.start_date}
            max={settings.end_date}
            onChange={(oos_start) => change({ oos_start })}
            invalid={at('settings.oos') !== undefined}
          />
        )}
      </div>
      <FieldError>{at('settings.oos')}</FieldError>
    </Section>
  )
}

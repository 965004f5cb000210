import type { Settings } from '@convexa/contract/backtest'
import { executions } from '@convexa/contract/enums/execution'
import { fills } from '@convexa/contract/enums/fill'
import { type MarketId, markets } from '@convexa/contract/enums/market'
import { labelOf } from '@convexa/contract/enums/table'
import { rangeLabels } from '@convexa/contract/range-labels'
import type { GroupDetail } from '@convexa/contract/strategy-group'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { strategyOptionsQuery } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { NumberField, Segmented, Select } from '../../../ui/controls.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Form, FormRow } from '../../../ui/form/form-row.tsx'
import { Stack } from '../../../ui/layout.tsx'
import { benchNote } from '../../rule/bench-name.ts'
import { datesOf, defaultSettings, withDates } from '../../rule/draft.ts'
import { useFactors } from '../../rule/factors.ts'
import { costWords } from '../../rule/rule-text.ts'
import { TradingDateField } from '../../rule/trading-date-field.tsx'
import { startGroupRun } from './group-run.ts'

const ranges = [
  { value: '1y', label: '近 1 年' },
  { value: '3y', label: '近 3 年' },
  { value: '5y', label: '近 5 年' },
  { value: 'all', label: '全部' },
] as const

/** What is left to say before a group is run: when, with how much, against what. */
export function GroupRunDialog({ kind, group, onClose }: { kind: MarketId; group: GroupDetail; onClose: () => void }) {
  const { data: options } = useQuery(strategyOptionsQuery)
  const { factors } = useFactors(kind)
  const [changed, setChanged] = useState<Partial<Settings>>({})
  const navigate = useNavigate()
  const data = options?.ranges[kind] ?? null
  if (!options || !data) return null
  const usual = withDates(defaultSettings(kind, options, factors), datesOf('3y', kind, data))
  const settings: Settings = { ...usual, ...changed }
  const change = (next: Partial<Settings>) => setChanged({ ...changed, ...next })
  const wrongDates = settings.start_date >= settings.end_date ? '开始日期须早于结束日期' : null
  const wrongCapital = settings.capital >= 0.1 && settings.capital <= 100_000 ? null : '资金须在 0.1–100000 万元之间'
  const range = ranges.find(({ value }) => {
    const dates = datesOf(value, kind, data)
    return dates.start_date === settings.start_date && dates.end_date === settings.end_date
  })
  const benchmarks = options.benchmarks.filter((one) => one.kind === kind && one.available)
  const about = benchNote(settings.benchmark)
  const run = () => {
    if (wrongDates || wrongCapital) return
    onClose()
    void navigate(startGroupRun(kind, group, withDates(settings, settings)))
  }
  return (
    <Dialog
      title={`运行组合回测 · ${group.group_name}`}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} icon="play" disabled={wrongDates !== null || wrongCapital !== null} onClick={run}>
            运行
          </Button>
        </>
      }
    >
      <Form
        look="above"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <FormRow label="区间" group message={wrongDates}>
          {() => (
            <Stack as="span" gap={8} align="start">
              <Segmented
                label="区间"
                value={range?.value ?? null}
                choices={ranges}
                onChange={(value) => change(datesOf(value, kind, data))}
              />
              <span className="line">
                <TradingDateField
                  label={rangeLabels.start_date}
                  value={settings.start_date}
                  min={data.start}
                  max={data.end}
                  onChange={(start_date) => change({ start_date })}
                />
                至
                <TradingDateField
                  label={rangeLabels.end_date}
                  value={settings.end_date}
                  min={data.start}
                  max={data.end}
                  onChange={(end_date) => change({ end_date })}
                />
              </span>
            </Stack>
          )}
        </FormRow>
        <FormRow label="本金" message={wrongCapital} hint="按占比分给各成员；每个成员按自己的最小交易单位取整">
          {(control) => (
            <NumberField
              {...control}
              width={120}
              unit="万元"
              value={settings.capital}
              onChange={(capital) => change({ capital: capital ?? Number.NaN })}
            />
          )}
        </FormRow>
        <FormRow label="基准">
          {(control) => (
            <Select
              {...control}
              width={200}
              value={settings.benchmark}
              choices={benchmarks.map(({ value, label }) => ({ value, label }))}
              onChange={(benchmark) => change({ benchmark })}
            />
          )}
        </FormRow>
      </Form>
      <p className="note">
        {group.members.length} 个成员各跑各的规则，净值按占比相加。{costWords(settings, markets[kind].dutied)} ·{' '}
        {labelOf(fills, settings.fill)} · {labelOf(executions, settings.execution)}；成员之间调拨资金不计成本。
        {about !== '' && `基准：${about}。`}
      </p>
    </Dialog>
  )
}

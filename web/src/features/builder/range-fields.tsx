import { ruleLabels } from '@convexa/contract/rule-labels'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { FieldError } from '../../ui/field-error.tsx'
import { Row } from '../../ui/layout.tsx'
import { withDates } from '../rule/draft.ts'
import { TradingDateField } from '../rule/trading-date-field.tsx'
import { useDraft } from '../rule/use-draft.ts'
import { settingMistakes } from '../rule/validate.ts'
import './range-fields.css'

/** The draft's range, where a page has no builder beside it. */
export function RangeFields({ draft }: { draft: Draft }) {
  const { id: kind } = useMarket()
  const { range } = useDraft()
  const { settings } = draft
  const mistake = settingMistakes(settings, range).find(({ place }) => place === 'settings.range')?.message
  const change = (dates: { start_date?: string; end_date?: string }) =>
    useStrategies
      .getState()
      .edit(kind, (before) => ({ ...before, range: null, settings: withDates(before.settings, { ...before.settings, ...dates }) }))
  const bounds = { min: range?.start, max: range?.end, invalid: mistake !== undefined }
  return (
    <Row as="fieldset" gap={8} wrap className="range-fields" aria-label="区间">
      <span className="text-2">区间</span>
      <div className="range-dates">
        <TradingDateField
          label={ruleLabels.start_date}
          value={settings.start_date}
          {...bounds}
          onChange={(start_date) => change({ start_date })}
        />
        <span className="text-3">~</span>
        <TradingDateField label={ruleLabels.end_date} value={settings.end_date} {...bounds} onChange={(end_date) => change({ end_date })} />
      </div>
      <FieldError>{mistake}</FieldError>
    </Row>
  )
}

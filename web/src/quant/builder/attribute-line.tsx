import type { MarketId } from '@convexa/contract/market'
import type { DictionaryKey } from '@convexa/contract/reference'
import type { Parameters } from '@convexa/contract/strategy'
import { useDictionaries } from '../../state/dictionary.ts'
import { Select } from '../../ui/controls.tsx'
import { MultiSelect } from '../../ui/form/multi-select.tsx'
import { gradeChoices } from './grades.ts'

type Exclude = Parameters['exclude']
type Key = 'org_types' | 'areas' | 'industries'

const lines: Record<MarketId, readonly { key: Key; label: string; dictionary: DictionaryKey }[]> = {
  cb: [
    { key: 'org_types', label: '企业类型', dictionary: 'cb_org_type' },
    { key: 'areas', label: '地区', dictionary: 'cb_area' },
    { key: 'industries', label: '行业', dictionary: 'cb_industry_1' },
  ],
  stk: [
    { key: 'org_types', label: '企业类型', dictionary: 'stk_org_type' },
    { key: 'areas', label: '地区', dictionary: 'stk_area' },
    { key: 'industries', label: '行业', dictionary: 'stk_industry_1' },
  ],
}

/** Exclusions by attributes of the issuer; an attribute without a dictionary in the data is not offered. */
export function AttributeLine({
  kind,
  exclude,
  onChange,
}: {
  kind: MarketId
  exclude: Exclude
  onChange: (part: Partial<Exclude>) => void
}) {
  const dictionaries = useDictionaries(...lines[kind].map(({ dictionary }) => dictionary), 'cb_yy_rating')
  const grades = kind === 'cb' ? gradeChoices(dictionaries.of('cb_yy_rating'), exclude.yy_ratings_above ?? null) : []
  const shown = lines[kind].filter(({ key, dictionary }) => exclude[key].length > 0 || dictionaries.of(dictionary).length > 0)
  if (shown.length + grades.length === 0) return null
  return (
    <div className="builder-line attributes">
      <span className="text-2">剔除</span>
      {shown.map(({ key, label, dictionary }) => (
        <MultiSelect
          key={key}
          label={`剔除${label}`}
          width={96}
          value={exclude[key]}
          options={dictionaries.of(dictionary).map((option) => ({ value: String(option.value), label: option.label }))}
          placeholder={label}
          onChange={(value) => onChange({ [key]: value })}
        />
      ))}
      {grades.length > 0 && (
        <Select
          label="剔除第三方评级"
          width={112}
          value={exclude.yy_ratings_above ?? ''}
          choices={grades}
          onChange={(grade) => onChange({ yy_ratings_above: grade || null })}
        />
      )}
    </div>
  )
}

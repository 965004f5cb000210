import { excludedTexts } from '@convexa/contract/enums/attribute'
import type { MarketId } from '@convexa/contract/enums/market'
import { ruleForms } from '@convexa/contract/enums/rule-forms'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import type { Parameters } from '@convexa/contract/strategy'
import { useDictionaries } from '../../api/dictionary.ts'
import { ruleViews } from '../../market/rule-views.ts'
import { Select } from '../../ui/controls.tsx'
import { MultiSelect } from '../../ui/form/multi-select.tsx'
import styles from './builder.module.css'
import { gradeChoices } from './grades.ts'

type Exclude = Parameters['exclude']

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
  const { gradeDictionary } = ruleForms[kind]
  const attributes = valuesOf(excludedTexts).map((key) => ({ key, dictionary: ruleViews[kind].dictionaries[key] }))
  const dictionaries = useDictionaries(...attributes.map(({ dictionary }) => dictionary), ...(gradeDictionary ? [gradeDictionary] : []))
  const grades = gradeDictionary ? gradeChoices(dictionaries.of(gradeDictionary), exclude.yy_ratings_above ?? null) : []
  const shown = attributes.filter(({ key, dictionary }) => exclude[key].length > 0 || dictionaries.of(dictionary).length > 0)
  if (shown.length + grades.length === 0) return null
  return (
    <div className={`${styles.line} ${styles.attributes}`}>
      <span className="text-2">剔除</span>
      {shown.map(({ key, dictionary }) => (
        <MultiSelect
          key={key}
          label={`剔除${labelOf(excludedTexts, key)}`}
          width={96}
          value={exclude[key]}
          options={dictionaries.of(dictionary).map((option) => ({ value: String(option.value), label: option.label }))}
          placeholder={labelOf(excludedTexts, key)}
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

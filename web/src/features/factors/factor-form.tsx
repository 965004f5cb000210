import type { FactorText } from '../../market/factor-examples.ts'
import { Select } from '../../ui/controls.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Row } from '../../ui/layout.tsx'
import { unitChoiceOf, unitChoices } from './drafts.ts'
import styles from './formula-card.module.css'

const nameErrorId = 'factor-name-error'

/** What a factor is called, what its number counts, and which end is the better one. */
export function FactorForm({
  text,
  onChange,
  nameError,
}: {
  text: FactorText
  onChange: (change: Partial<FactorText>) => void
  nameError: string | null
}) {
  return (
    <Row wrap className={styles.factorForm}>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is in the part */}
      <label className={styles.factorName}>
        <span>名称</span>
        <TextField
          name="factor_name"
          value={text.name}
          placeholder="给因子起个名字"
          invalid={nameError !== null}
          describedBy={nameError ? nameErrorId : undefined}
          onChange={(name) => onChange({ name })}
        />
      </label>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is in the part */}
      <label className={styles.factorDescription}>
        <span>说明</span>
        <TextField value={text.description} placeholder="它衡量什么" onChange={(description) => onChange({ description })} />
      </label>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the select is in the part */}
      <label>
        <span>单位</span>
        <Select
          width={92}
          value={unitChoiceOf(text)}
          choices={unitChoices}
          onChange={(value) => {
            const chosen = unitChoices.find((one) => one.value === value)
            if (chosen) onChange({ unit: chosen.unit, decimals: chosen.decimals })
          }}
        />
      </label>
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the select is in the part */}
      <label>
        <span>方向</span>
        <Select
          width={108}
          value={text.prefer}
          choices={[
            { value: 'small', label: '越小越好' },
            { value: 'large', label: '越大越好' },
          ]}
          onChange={(prefer) => onChange({ prefer })}
        />
      </label>
      {nameError && <FieldError id={nameErrorId}>{nameError}</FieldError>}
    </Row>
  )
}

import { holdWeights } from '@convexa/contract/enums/hold-weight'
import { marketIds, markets } from '@convexa/contract/enums/market'
import { choicesOf } from '@convexa/contract/enums/table'
import type { ConfigOptions } from '@convexa/contract/qmt'
import { NumberField, Segmented, Select } from '../../../ui/controls.tsx'
import { FormRow } from '../../../ui/form/form-row.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import type { Form } from '../../../ui/form/use-form.ts'
import { PageLink } from '../../../ui/page-link.tsx'
import { type ConfigValues, sourceKey, suggestedName } from './run-config.ts'

/** ② What is traded, with how much money. */
export function SourceStep({ form, options }: { form: Form<ConfigValues>; options: ConfigOptions }) {
  const { kind, source, capital, name } = form.values
  const sources = options.sources.filter((one) => one.kind === kind)
  const labelOf = (key: string) => sources.find((one) => sourceKey(one) === key)?.label ?? ''
  /** A name that is only suggested goes with what it was made of. */
  const renamed = (next: { source?: string; capital?: number | null }) =>
    name === '' || name === suggestedName(labelOf(source), capital)
      ? { name: suggestedName(labelOf(next.source ?? source), next.capital === undefined ? capital : next.capital) }
      : {}
  return (
    <>
      <FormRow label="市场" group>
        {() => (
          <Segmented
            label="市场"
            value={kind}
            choices={marketIds.map((value) => ({ value, label: markets[value].label }))}
            onChange={(next) => form.change({ kind: next, source: '' })}
          />
        )}
      </FormRow>
      <FormRow
        label="策略或策略组"
        message={form.message('source')}
        required
        hint={
          sources.length === 0 && (
            <span>
              还没有保存过{markets[kind].label}策略，
              <PageLink className="link" to={`${markets[kind].path}/screen`}>
                去筛选并保存一个
              </PageLink>
            </span>
          )
        }
      >
        {(control) => (
          <Select
            {...control}
            name="source"
            value={source}
            choices={[
              { value: '', label: sources.length === 0 ? '没有可选的' : '请选择', disabled: true },
              ...sources.map((one) => ({ value: sourceKey(one), label: one.type === 'group' ? `${one.label}（策略组）` : one.label })),
            ]}
            onChange={(next) => form.change({ source: next, ...renamed({ source: next }) })}
          />
        )}
      </FormRow>
      <FormRow label="资金" message={form.message('capital')} required hint="只用这笔钱算手数，不会动用账户里其余的资金。">
        {(control) => (
          <NumberField
            {...control}
            {...form.bind('capital')}
            width={144}
            unit="万元"
            onChange={(next) => form.change({ capital: next, ...renamed({ capital: next }) })}
          />
        )}
      </FormRow>
      <FormRow label="持仓权重方式">
        {(control) => <Select {...control} {...form.bind('hold_weight_type')} choices={choicesOf(holdWeights, kind)} />}
      </FormRow>
      <FormRow label="名称" message={form.message('name')} required>
        {(control) => <TextField {...control} {...form.bind('name')} />}
      </FormRow>
    </>
  )
}

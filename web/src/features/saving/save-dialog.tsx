import { ruleLabels } from '@convexa/contract/rule-labels'
import { sentenceOf } from '../../api/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { Form, FormRow } from '../../ui/form/form-row.tsx'
import { first, rules } from '../../ui/form/rules.ts'
import { TextArea, TextField } from '../../ui/form/text-field.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import type { NewStrategy } from './use-saving.ts'

/** 21003 taken, 21004 too long. */
const atName = { 21003: 'name', 21004: 'name' } as const

/** Name, remark and tags of a strategy that is saved for the first time, or as another. */
export function SaveDialog({
  title,
  suggested,
  taken,
  onSave,
  onClose,
}: {
  title: string
  suggested: NewStrategy
  /** Names that are there already. */
  taken: readonly string[]
  onSave: (strategy: NewStrategy) => Promise<void>
  onClose: () => void
}) {
  const form = useForm({
    first: { name: suggested.name, remark: suggested.remark, tags: suggested.tags.join(' ') },
    rules: {
      name: first(rules.required(ruleLabels.strategy_name), rules.strategyName(taken)),
      remark: rules.remark,
      tags: (text) =>
        tagsOf(text).length > 10 ? '标签最多 10 个' : tagsOf(text).some((tag) => tag.length > 20) ? '每个标签最多 20 字' : null,
    },
    places: atName,
    submit: async ({ name, remark, tags }) => {
      await onSave({ name: name.trim(), remark: remark.trim(), tags: tagsOf(tags) })
      onClose()
    },
  })
  const elsewhere = form.refusal !== null && form.message('name') === null
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          {elsewhere && <FieldError>{sentenceOf(form.refusal)}</FieldError>}
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} type="submit" form="save-strategy" disabled={form.busy}>
            {form.busy ? '正在保存…' : '保存'}
          </Button>
        </>
      }
    >
      <Form id="save-strategy" look="above" {...form.props}>
        <FormRow label={ruleLabels.strategy_name} required message={form.message('name')}>
          {(control) => <TextField {...control} {...form.bind('name')} />}
        </FormRow>
        <FormRow label="备注" note="选填" message={form.message('remark')}>
          {(control) => <TextArea {...control} {...form.bind('remark')} most={200} placeholder="想法、来源、要盯什么" />}
        </FormRow>
        <FormRow label="标签" note="选填，用空格隔开" message={form.message('tags')}>
          {(control) => <TextField {...control} {...form.bind('tags')} placeholder="双低 低波" />}
        </FormRow>
      </Form>
    </Dialog>
  )
}

const tagsOf = (text: string): string[] => [...new Set(text.split(/[\s,，、]+/).filter(Boolean))]

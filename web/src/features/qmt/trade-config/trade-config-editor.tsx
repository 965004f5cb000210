import { calls } from '@convexa/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { useKeys } from '../../../keys/use-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { confirm } from '../../../ui/confirm.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { Stack } from '../../../ui/layout.tsx'
import { toast } from '../../../ui/toast.tsx'
import { reAuthed } from '../../account/re-auth.ts'
import { Behind } from '../behind.tsx'
import { qmtChanged, qmtConfigsQuery } from '../qmt-queries.ts'
import { useFollowed } from '../use-followed.ts'
import { TimelineCard } from './timeline-card.tsx'
import styles from './trade-config.module.css'
import { bodyOf, type TradeValues, tradeRules, valuesOf } from './trade-config.ts'
import { TradeConfigForm, tradeFormId } from './trade-config-form.tsx'

/** One trading config with its day. `id` null: a new one. */
export function TradeConfigEditor({
  id,
  first,
  onChanged,
  onSaved,
  onGone,
}: {
  id: string | null
  first: TradeValues
  /** Whether something is not saved. */
  onChanged: (changed: boolean) => void
  onSaved: (id: string) => void
  onGone: () => void
}) {
  const { data: configs } = useQuery(qmtConfigsQuery)
  const users = id === null ? [] : (configs?.list_items ?? []).filter(({ trading_config_id: one }) => one === id)
  const removal = useAction()
  const form = useForm({
    first,
    rules: tradeRules,
    submit: async (values) => {
      const body = bodyOf(values)
      const saved = await reAuthed(() =>
        id === null
          ? call(calls.qmt.addTradingConfig, { body })
          : call(calls.qmt.changeTradingConfig, { params: { id }, body }).then(() => ({ id })),
      )
      form.reset(valuesOf({ ...body, id: '', updated_at: '' }))
      await qmtChanged()
      toast.done(users.length > 0 ? `已保存。使用它的 ${users.length} 个运行配置需要重新演练并导出` : '交易参数已保存')
      onSaved(saved.id)
    },
    places: { 21004: 'name', 21003: 'name' },
  })
  const { changed, behind, takeOver } = useFollowed(form, first, bodyOf)
  useEffect(() => onChanged(changed), [changed, onChanged])
  const box = form.props.ref
  useKeys({ save: () => box.current?.requestSubmit() })
  const remove = async (gone: string) => {
    const meant = await confirm({
      title: `删除交易参数「${first.name}」？`,
      text: '删除后不可恢复。正被运行配置使用的不能删除。',
      action: '删除',
      icon: 'bin',
    })
    if (!meant || !(await removal.run(() => call(calls.qmt.removeTradingConfig, { params: { id: gone } })))) return
    await qmtChanged()
    toast.done(`交易参数「${first.name}」已删除`)
    onGone()
  }
  return (
    <Stack gap={12} className={styles.tradeEditor}>
      <TimelineCard values={form.values} />
      <Card
        title={id === null ? '新建交易参数' : '参数'}
        tools={
          <div className="line">
            {id !== null && (
              <Button look={['small', 'ghost']} icon="bin" disabled={removal.busy} onClick={() => void remove(id)}>
                删除
              </Button>
            )}
            <Button type="submit" form={tradeFormId} look={['small', 'primary']} aria-keyshortcuts="Control+S Meta+S" disabled={form.busy}>
              {form.busy ? '正在保存…' : '保存'}
            </Button>
          </div>
        }
        foot={
          users.length > 0
            ? `正被 ${users.map(({ name }) => `「${name}」`).join('')}使用，保存后它们需要重新演练、确认并导出。`
            : '超出限制的参数会被拒绝并说明是哪一项，不会被悄悄改动。'
        }
      >
        <FieldError>{removal.refused}</FieldError>
        {behind && <Behind onTakeOver={takeOver} />}
        <TradeConfigForm form={form} />
      </Card>
    </Stack>
  )
}

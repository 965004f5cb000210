import { type MarketId, markets } from '@convexa/contract/enums/market'
import type { GroupBody, GroupListItem } from '@convexa/contract/strategy-group'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { sentenceOf } from '../../../api/messages.ts'
import { strategyListQuery } from '../../../api/queries.ts'
import { Button } from '../../../ui/button.tsx'
import { NumberField, Select } from '../../../ui/controls.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { Form, FormRow } from '../../../ui/form/form-row.tsx'
import { TextArea, TextField } from '../../../ui/form/text-field.tsx'
import { Row, Stack } from '../../../ui/layout.tsx'
import { ErrorBlock } from '../../../ui/states.tsx'
import { toast } from '../../../ui/toast.tsx'
import { nameMistake, remarkMistake } from '../strategy-name.tsx'
import { saveGroup } from './group-changes.ts'
import styles from './group-drawer.module.css'
import { duplicateChoices, rebalanceChoices } from './group-labels.ts'
import { type Member, membersMistake, mostMembers, sumOf, toHundred, weightsOf } from './shares.ts'

/** What a group is begun or changed from. */
export interface GroupDraft {
  /** null: a new one. */
  id: string | null
  name: string
  remark: string
  members: readonly Member[]
  rebalance: GroupBody['rebalance']
  duplicate: GroupBody['duplicate']
}

export const draftOfGroup = ({ id, group_name, remark, members, rebalance, duplicate }: Omit<GroupListItem, 'glance'>): GroupDraft => ({
  id,
  name: group_name,
  remark,
  members: members.map(({ strategy_id, strategy_name, weight }) => ({
    id: strategy_id,
    name: strategy_name,
    share: Number((weight * 100).toFixed(2)),
  })),
  rebalance,
  duplicate,
})

/** A new group of these strategies, in equal shares. */
export const newGroup = (strategies: readonly { id: string; strategy_name: string }[]): GroupDraft => ({
  id: null,
  name: '',
  remark: '',
  members: toHundred(strategies.map(({ id, strategy_name: name }) => ({ id, name, share: null }))),
  rebalance: 'monthly',
  duplicate: 'merge',
})

/** Members with their shares and how they go together. Nothing is sent before it is right. */
export function GroupDrawer({
  kind,
  given,
  onClose,
  onSaved,
}: {
  kind: MarketId
  given: GroupDraft
  onClose: () => void
  /** Called in place of `onClose` after saving: a caller that navigates must not have `onClose` change the address as well. */
  onSaved?: (id: string) => void
}) {
  const [draft, setDraft] = useState(given)
  const [tried, setTried] = useState(false)
  const [saving, setSaving] = useState(false)
  const [refused, setRefused] = useState<unknown>(null)
  const change = (next: Partial<GroupDraft>) => setDraft({ ...draft, ...next })
  const wrongName = nameMistake(draft.name.trim())
  const wrongRemark = remarkMistake(draft.remark)
  const wrongMembers = membersMistake(draft.members)
  const save = async () => {
    setTried(true)
    if (wrongName || wrongRemark || wrongMembers) return
    setSaving(true)
    setRefused(null)
    try {
      const { name, remark, members, rebalance, duplicate } = draft
      const body = { group_name: name.trim(), remark, members: weightsOf(members), rebalance, duplicate }
      const id = await saveGroup(kind, draft.id, body)
      toast.done(`已保存策略组「${body.group_name}」`)
      if (onSaved) onSaved(id)
      else onClose()
    } catch (error) {
      setRefused(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <Drawer
      title={draft.id === null ? `新建${markets[kind].label}策略组` : '编辑策略组'}
      width={480}
      focus="field"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>取消</Button>
          <span className="grow" />
          <Button look={['primary']} disabled={saving} onClick={() => void save()}>
            {saving ? '正在保存…' : '保存'}
          </Button>
        </>
      }
    >
      <Form
        look="above"
        className={`form above ${styles.groupForm}`}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {refused !== null && <ErrorBlock error={refused} still={`没有保存：${sentenceOf(refused)}。填写的内容都还在。`} />}
        <FormRow label="名称" required message={tried ? wrongName : null}>
          {(control) => <TextField {...control} value={draft.name} onChange={(name) => change({ name })} placeholder="1 至 50 个字符" />}
        </FormRow>
        <FormRow label="成员" group message={tried ? wrongMembers : null}>
          {() => <Members kind={kind} members={draft.members} onChange={(members) => change({ members })} />}
        </FormRow>
        <FormRow label="再平衡" hint={rebalanceChoices.find(({ value }) => value === draft.rebalance)?.hint}>
          {(control) => (
            <Select
              {...control}
              width={160}
              value={draft.rebalance}
              choices={rebalanceChoices}
              onChange={(rebalance) => change({ rebalance })}
            />
          )}
        </FormRow>
        <FormRow label="重复持仓" hint={duplicateChoices.find(({ value }) => value === draft.duplicate)?.hint}>
          {(control) => (
            <Select
              {...control}
              width={160}
              value={draft.duplicate}
              choices={duplicateChoices}
              onChange={(duplicate) => change({ duplicate })}
            />
          )}
        </FormRow>
        <FormRow label="备注" note="选填" message={wrongRemark}>
          {(control) => <TextArea {...control} most={200} rows={2} value={draft.remark} onChange={(remark) => change({ remark })} />}
        </FormRow>
      </Form>
    </Drawer>
  )
}

function Members({
  kind,
  members,
  onChange,
}: {
  kind: MarketId
  members: readonly Member[]
  onChange: (members: readonly Member[]) => void
}) {
  const { data, error, refetch } = useQuery(strategyListQuery(kind))
  const id = useId()
  const sum = sumOf(members)
  const right = Math.round(sum * 100) === 10_000
  const inGroup = new Set(members.map((one) => one.id))
  const others = data?.list_items.filter((one) => !inGroup.has(one.id)) ?? []
  const add = (chosen: string) => {
    const one = others.find((other) => other.id === chosen)
    if (one) onChange([...members, { id: one.id, name: one.strategy_name, share: Math.max(0, Number((100 - sum).toFixed(2))) }])
  }
  return (
    <Stack gap={8} className={styles.groupMembers}>
      <ul>
        {members.map((member, i) => (
          <li key={member.id}>
            <span className={styles.groupMemberName}>{member.name}</span>
            <NumberField
              label={`${member.name} 的资金占比`}
              value={member.share}
              unit="%"
              width={88}
              onChange={(share) => onChange(members.map((one, at) => (at === i ? { ...one, share } : one)))}
            />
            <Button
              look={['ghost', 'square', 'small']}
              icon="cross"
              aria-label={`移除 ${member.name}`}
              onClick={() => onChange(members.filter((one) => one.id !== member.id))}
            />
          </li>
        ))}
      </ul>
      <Row gap={8} className="size-13" role="status">
        <span className={right ? 'ok' : 'warn'}>
          合计 <b>{Number(sum.toFixed(2))}%</b>
          {!right && members.length > 0 && '，须为 100%'}
        </span>
        <span className="grow" />
        <Button look={['small']} disabled={right || members.length === 0} onClick={() => onChange(toHundred(members))}>
          一键归一
        </Button>
        <Button
          look={['small', 'ghost']}
          disabled={members.length === 0}
          onClick={() => onChange(toHundred(members.map((one) => ({ ...one, share: null }))))}
        >
          等分
        </Button>
      </Row>
      {error && <FieldError id={`${id}-list`}>策略列表读取失败：{sentenceOf(error)}</FieldError>}
      {error && (
        <Button look={['small']} onClick={() => void refetch()}>
          重试
        </Button>
      )}
      <Row align="stretch">
        <Select
          label="添加成员"
          width="fill"
          value=""
          disabled={members.length >= mostMembers || others.length === 0}
          choices={[
            { value: '', label: others.length === 0 ? '没有其他策略可以添加' : `添加成员（${members.length}/${mostMembers}）` },
            ...others.map((one) => ({ value: one.id, label: one.strategy_name })),
          ]}
          onChange={add}
        />
      </Row>
    </Stack>
  )
}

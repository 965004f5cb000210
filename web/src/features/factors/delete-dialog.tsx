import type { MarketId } from '@convexa/contract/enums/market'
import type { FactorMeta } from '@convexa/contract/factor'
import { useState } from 'react'
import { sentenceOf } from '../../api/messages.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FieldError } from '../../ui/field-error.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PageLink } from '../../ui/page-link.tsx'
import styles from './customized-factors.module.css'
import { deleteFactor } from './factor-queries.ts'

/** Of a factor that something uses: what that is, and its name typed before it goes. */
export function DeleteDialog({
  kind,
  factor,
  onDone,
  onClose,
}: {
  kind: MarketId
  factor: FactorMeta
  onDone: () => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { users = [], used_by: uses = 0, factor_name: name, id = '' } = factor
  const strategies = users.filter(({ type }) => type === 'strategy')
  const others = users.filter(({ type }) => type === 'factor')
  const remove = async () => {
    setBusy(true)
    setError(null)
    try {
      await deleteFactor(kind, id, true)
      onDone()
    } catch (failure) {
      setBusy(false)
      setError(sentenceOf(failure))
    }
  }
  return (
    <Dialog
      role="alertdialog"
      title={`删除因子「${name}」？`}
      width={480}
      onClose={onClose}
      footer={
        <>
          <Button look={['destructive']} icon="cross" disabled={typed.trim() !== name || busy} onClick={remove}>
            删除
          </Button>
          <Button onClick={onClose}>取消</Button>
        </>
      }
    >
      <div className={styles.deleteFactor}>
        <p>它正被 {uses} 处使用。删除后不可恢复，下面这些将无法运行，直到换成别的因子：</p>
        <ul>
          {strategies.map((user) => (
            <li key={user.id}>
              策略 <PageLink to={`/strategy/${kind}/${user.id}`}>{user.name}</PageLink>
            </li>
          ))}
          {others.map((user) => (
            <li key={user.id}>自定义因子「{user.name}」</li>
          ))}
          {uses > users.length && <li className="text-3">另有 {uses - users.length} 处</li>}
        </ul>
        <p>已经完成的回测保留当时的公式，不受影响。</p>
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the input is in the part */}
        <label>
          <span>输入因子名称「{name}」确认删除</span>
          <TextField value={typed} onChange={setTyped} />
        </label>
        {error && <FieldError id="delete-factor-error">{error}</FieldError>}
      </div>
    </Dialog>
  )
}

import { useState } from 'react'
import { shanghai } from '../../base/dates.ts'
import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DifferenceDialog } from './difference-dialog.tsx'
import { comparable } from './saved-draft.ts'
import type { Saving } from './use-saving.ts'

/** The server has a newer version: look at what is different, write over it, or save as another. */
export function ConflictDialog({
  draft,
  conflict,
  busy,
  onOverwrite,
  onSaveAs,
  onClose,
}: {
  draft: Draft
  conflict: NonNullable<Saving['conflict']>
  busy: boolean
  onOverwrite: () => void
  onSaveAs: () => void
  onClose: () => void
}) {
  const [comparing, setComparing] = useState(false)
  const { date, time } = shanghai(Date.parse(conflict.updated_at))
  const when = date === shanghai(Date.now()).date ? time : `${date} ${time}`
  const choices = (
    <>
      <Button onClick={onSaveAs} disabled={busy}>
        另存
      </Button>
      <Button look={['primary']} onClick={onOverwrite} disabled={busy}>
        {busy ? '正在保存…' : '覆盖'}
      </Button>
    </>
  )
  if (comparing)
    return (
      <DifferenceDialog
        title="服务器版本与当前草稿"
        before={comparable(conflict, draft.settings)}
        after={draft}
        heads={['服务器上', '当前草稿']}
        onClose={() => setComparing(false)}
        footer={choices}
      />
    )
  return (
    <Dialog
      title="策略已在别处修改"
      role="alertdialog"
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => setComparing(true)}>查看差异</Button>
          {choices}
        </>
      }
    >
      <p>
        「{conflict.strategy_name}」服务器上的版本更新于 {when}。覆盖会以当前草稿写成下一个版本；另存则两份都保留。
      </p>
    </Dialog>
  )
}

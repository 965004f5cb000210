import { lazy, Suspense, useState } from 'react'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useGallery } from '../templates/gallery-state.ts'
import type { Open } from './draft-dialogs.tsx'
import { LateChoices } from './late-choices.tsx'
import styles from './saving.module.css'
import { ShareMenu, useShareItems } from './share-menu.tsx'
import { useSaving } from './use-saving.ts'

const DraftDialogs = lazy(async () => ({ default: (await import('./draft-dialogs.tsx')).DraftDialogs }))

/** Saving the draft, and the dialogs that this may open: for its name, of its changes, of a newer version. */
function useDraftActions(draft: Draft) {
  const saving = useSaving(draft)
  const [open, setOpen] = useState<Open>(null)
  const save = () => void saving.save().then((outcome) => outcome === 'new' && setOpen('save'))
  const dialogs = (open || saving.conflict) && (
    <Suspense>
      <DraftDialogs draft={draft} saving={saving} open={open} onOpen={setOpen} />
    </Suspense>
  )
  return { saving, save, setOpen, dialogs }
}

/** On the phone: what is not saved yet is one tap away from being so, whatever the strategy is called. */
export function SaveButton({ draft }: { draft: Draft }) {
  const { saving, save, dialogs } = useDraftActions(draft)
  if (draft.saved && !draft.edited && !dialogs) return null
  return (
    <>
      <Button onClick={save} disabled={saving.busy}>
        {saving.busy ? '保存中…' : '保存'}
      </Button>
      {dialogs}
    </>
  )
}

/** Which strategy is worked on, and what can be done with it as a whole. On the phone the same as a list of buttons. */
export function DraftBar({ draft, phone = false, onDone }: { draft: Draft; phone?: boolean; onDone?: () => void }) {
  const { id: kind } = useMarket()
  const { saving, save, setOpen, dialogs } = useDraftActions(draft)
  const gallery = useGallery()
  useKeys({ save })
  const shares = useShareItems(draft, () => setOpen('import'))
  const reverts = draft.saved !== undefined && draft.edited
  if (phone)
    return (
      <div className={styles.actions}>
        {[
          { label: draft.saved ? '保存' : '保存为策略', run: save },
          ...(draft.saved ? [{ label: '另存', run: () => setOpen('saveAs') }] : []),
          ...(reverts ? [{ label: '还原到已保存', run: () => setOpen('revert') }] : []),
          ...shares,
        ].map(({ label, run }) => (
          <Button key={label} onClick={run} disabled={saving.busy}>
            {label}
          </Button>
        ))}
        {dialogs}
      </div>
    )
  return (
    <Row gap={8} className={styles.bar}>
      <span className={`text-2 ${styles.barWord}`}>策略</span>
      <Popover
        align="right"
        className={styles.select}
        label={`策略：${draft.name}${draft.edited ? '，已修改' : ''}`}
        button={
          <>
            <b title={draft.name}>{draft.name}</b>
            {draft.edited && (
              <span className="warn" title="草稿已修改，自动保存在本机">
                *
              </span>
            )}
            <Icon name="down" size="small" />
          </>
        }
      >
        {(close) => (
          <LateChoices
            draft={draft}
            onChosen={() => {
              close()
              onDone?.()
            }}
            onGallery={() => gallery.show(kind)}
          />
        )}
      </Popover>
      {reverts && (
        <Button look={['small', 'ghost']} onClick={() => setOpen('revert')} title="查看改动，还原到已保存的版本">
          还原
        </Button>
      )}
      <Button look={['small']} onClick={save} disabled={saving.busy} title="保存 Ctrl+S">
        {saving.busy ? '保存中…' : '保存'}
      </Button>
      {draft.saved && (
        <Button look={['small']} onClick={() => setOpen('saveAs')} disabled={saving.busy}>
          另存
        </Button>
      )}
      <ShareMenu draft={draft} onImport={() => setOpen('import')} />
      {dialogs}
    </Row>
  )
}

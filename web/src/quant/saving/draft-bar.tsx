import { lazy, Suspense, useState } from 'react'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import type { Draft } from '../../state/strategies.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { useGallery } from '../templates/gallery-state.ts'
import type { Open } from './draft-dialogs.tsx'
import { ShareMenu, useShareItems } from './share-menu.tsx'
import { StrategyChoices } from './strategy-choices.tsx'
import { useSaving } from './use-saving.ts'
import './saving.css'

const DraftDialogs = lazy(async () => ({ default: (await import('./draft-dialogs.tsx')).DraftDialogs }))

/** Which strategy is worked on, and what can be done with it as a whole. On the phone the same as a list of buttons. */
export function DraftBar({ draft, phone = false, onDone }: { draft: Draft; phone?: boolean; onDone?: () => void }) {
  const { kind } = useMarket()
  const saving = useSaving(draft)
  const [open, setOpen] = useState<Open>(null)
  const gallery = useGallery()
  const save = () => void saving.save().then((outcome) => outcome === 'new' && setOpen('save'))
  useKeys({ save })
  const shares = useShareItems(draft, () => setOpen('import'))
  const reverts = draft.saved !== undefined && draft.edited
  const dialogs = (open || saving.conflict) && (
    <Suspense>
      <DraftDialogs draft={draft} saving={saving} open={open} onOpen={setOpen} />
    </Suspense>
  )
  if (phone)
    return (
      <div className="draft-actions">
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
    <div className="draft-bar">
      <span className="text-2 draft-bar-word">策略</span>
      <Menu
        align="right"
        className="draft-select"
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
          <StrategyChoices
            draft={draft}
            onChosen={() => {
              close()
              onDone?.()
            }}
            onGallery={() => gallery.show(kind)}
          />
        )}
      </Menu>
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
    </div>
  )
}

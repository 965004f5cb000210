import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { strategyDetailQuery, strategyListQuery, strategyOptionsQuery } from '../../api/queries.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, useStrategies } from '../../state/strategies.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { useFactors } from '../factors.ts'
import { useGallery } from '../templates/gallery-state.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DifferenceDialog } from './difference-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { comparable, draftOfSaved } from './saved-draft.ts'
import { ShareMenu, useShareItems } from './share-menu.tsx'
import { StrategyChoices } from './strategy-choices.tsx'
import { useSaving } from './use-saving.ts'
import { takeRule } from './use-shared-rule.ts'
import './saving.css'

type Open = 'save' | 'saveAs' | 'import' | 'revert' | null

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
  const dialogs = <Dialogs draft={draft} saving={saving} open={open} onOpen={setOpen} />
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

function Dialogs({
  draft,
  saving,
  open,
  onOpen,
}: {
  draft: Draft
  saving: ReturnType<typeof useSaving>
  open: Open
  onOpen: (open: Open) => void
}) {
  const market = useMarket()
  const { kind } = market
  const { factors } = useFactors(kind)
  const { data: options } = useQuery(strategyOptionsQuery)
  const { data: list } = useQuery({ ...strategyListQuery(kind), enabled: open === 'save' || open === 'saveAs' })
  // What was saved is asked for when someone wants to see it, or to save it under another name.
  const detail = useQuery({
    ...strategyDetailQuery(kind, draft.saved?.id ?? ''),
    enabled: draft.saved !== undefined && (open === 'revert' || open === 'saveAs'),
  })
  const close = () => onOpen(null)
  const saved = detail.data
  if (saving.conflict)
    return (
      <ConflictDialog
        draft={draft}
        conflict={saving.conflict}
        busy={saving.busy}
        onOverwrite={() => void saving.overwrite()}
        onSaveAs={() => {
          saving.forgetConflict()
          onOpen('saveAs')
        }}
        onClose={saving.forgetConflict}
      />
    )
  if (open === 'save' || (open === 'saveAs' && !detail.isPending))
    return (
      <SaveDialog
        title={open === 'save' ? '保存策略' : '另存为'}
        suggested={{
          name: open === 'saveAs' ? `${draft.name} 副本` : draft.name,
          remark: open === 'saveAs' ? (saved?.remark ?? '') : '',
          tags: open === 'saveAs' ? (saved?.tags ?? []) : [],
        }}
        taken={list?.list_items.map(({ strategy_name }) => strategy_name) ?? []}
        onSave={saving.saveAs}
        onClose={close}
      />
    )
  if (open === 'import') return <ImportDialog onClose={close} onUse={(rule) => options && takeRule(market, options, factors, rule)} />
  if (open === 'revert' && draft.saved)
    return saved ? (
      <DifferenceDialog
        title={`「${saved.strategy_name}」的改动`}
        before={comparable(saved, draft.settings)}
        after={draft}
        heads={['已保存', '当前草稿']}
        onClose={close}
        footer={
          <>
            <Button onClick={close}>继续编辑</Button>
            <Button
              look={['primary']}
              onClick={() => {
                useStrategies.getState().set(kind, draftOfSaved(saved, { settings: draft.settings, range: draft.range }))
                close()
              }}
            >
              还原到已保存
            </Button>
          </>
        }
      />
    ) : (
      <Dialog title={`「${draft.name}」的改动`} onClose={close} footer={<Button onClick={close}>关闭</Button>}>
        {detail.error ? (
          <ErrorBlock error={detail.error} still="草稿还在，可以继续编辑。" onRetry={() => detail.refetch()} />
        ) : (
          <Skeleton columns={undefined} rows={4} />
        )}
      </Dialog>
    )
  return null
}

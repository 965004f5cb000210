import { useQuery } from '@tanstack/react-query'
import { strategyDetailQuery, strategyListQuery, strategyOptionsQuery } from '../../api/queries.ts'
import { useMarket } from '../../market/market-context.tsx'
import { type Draft, useStrategies } from '../../state/drafts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorBlock } from '../../ui/states.tsx'
import { draftName } from '../rule/draft-name.ts'
import { useFactors } from '../rule/factors.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { DifferenceDialog } from './difference-dialog.tsx'
import { ImportDialog } from './import-dialog.tsx'
import { SaveDialog } from './save-dialog.tsx'
import { comparable, draftOfSaved } from './saved-draft.ts'
import type { useSaving } from './use-saving.ts'
import { takeRule } from './use-shared-rule.ts'

/** What of a draft's saving is asked or shown; null: nothing. */
export type Open = 'save' | 'saveAs' | 'import' | 'revert' | null

/** What the bar of a draft opens: saving, another name, an import, what would be taken back, a conflict. */
export function DraftDialogs({
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
  const { id: kind } = market
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
          name: open === 'saveAs' ? `${draft.name} 副本` : [...draftName(draft, factors)].slice(0, 50).join(''),
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
                const now = draftOfSaved(saved, { settings: draft.settings, range: draft.range })
                useStrategies.getState().set(kind, { ...now, ...(draft.id !== undefined && { id: draft.id }) })
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

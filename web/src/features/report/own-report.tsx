import type { ReportCore } from '@convexa/contract/report'
import { Suspense, useMemo, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { lazyDialog } from '../../ui/lazy-dialog.ts'
import { PageLink } from '../../ui/page-link.tsx'
import { newConfigPath } from '../rule/addresses.ts'
import { ExportMenu } from './export/export-menu.tsx'
import { FavouriteStar } from './favourite-run.tsx'
import { NoteLine } from './note-line.tsx'
import { ReportHeading } from './report-heading.tsx'
import { ReportView } from './report-view.tsx'
import { useChecks } from './robustness/use-checks.ts'

// Opened by few and rarely: their code comes when it is asked for.
const ShareDialog = lazyDialog(async () => (await import('./share/share-dialog.tsx')).ShareDialog)
const CompareDialog = lazyDialog(async () => (await import('./compare-dialog.tsx')).CompareDialog)

/** A report as its owner reads it: with a note, beside others, to be sent on, to be run again otherwise. */
export function OwnReport({
  stored,
  name,
  rule,
}: {
  stored: ReportCore
  name: string
  /** What is done with its rule elsewhere: run again otherwise, ranked factor by factor on a day. A group has none. */
  rule: { onAgain: () => void; onLonger: (() => void) | null; onScores: (date: string) => void } | null
}) {
  // The name that is on the page is also that of saved files.
  const named = useMemo(() => ({ ...stored, name }), [stored, name])
  const [noting, setNoting] = useState(false)
  const [open, setOpen] = useState<'share' | 'compare' | null>(null)
  const close = () => setOpen(null)
  const checking = useChecks(named)
  // A config trades what is saved: a run of a draft has nothing to name.
  const source = stored.strategy_id
    ? ({ type: 'strategy', id: stored.strategy_id } as const)
    : stored.group_id
      ? ({ type: 'group', id: stored.group_id } as const)
      : null
  return (
    <ReportView
      report={named}
      checking={checking}
      onLonger={rule?.onLonger ?? undefined}
      onScores={rule?.onScores}
      heading={(report) => (
        <ReportHeading
          report={report}
          note={<NoteLine report={report} editing={noting} onEditing={setNoting} />}
          tools={
            <>
              <FavouriteStar run={report} name="这次回测" />
              <Button look={['small']} icon="pencil" onClick={() => setNoting(true)}>
                备注
              </Button>
              <Button look={['small']} icon="plus" onClick={() => setOpen('compare')}>
                对比
              </Button>
              <Button look={['small']} icon="share" onClick={() => setOpen('share')}>
                分享
              </Button>
              <ExportMenu report={report} />
              {source && (
                <PageLink className="button small" to={newConfigPath(source.type, source.id)}>
                  生成 QMT 配置
                </PageLink>
              )}
              {rule && (
                <Button look={['small', 'primary']} icon="undo" onClick={rule.onAgain}>
                  改条件再跑
                </Button>
              )}
              <Suspense>
                {open === 'share' && <ShareDialog report={report} onClose={close} />}
                {open === 'compare' && <CompareDialog report={report} onClose={close} />}
              </Suspense>
            </>
          }
        />
      )}
    />
  )
}

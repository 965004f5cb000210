import type { ConfigListItem } from '@convexa/contract/qmt'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useList } from '../../../api/lists.ts'
import { usePhone } from '../../../base/use-phone.ts'
import { useKeys } from '../../../keys/use-keys.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { lazyDialog } from '../../../ui/lazy-dialog.ts'
import { ErrorBlock } from '../../../ui/states.tsx'
import { AlertsCard } from '../alerts/alerts-card.tsx'
import type { GuidePart } from '../guide/guide-drawer.tsx'
import { configOptionsQuery, killSwitchQuery, qmtAccountsQuery, qmtConfigsQuery, tradingConfigsQuery } from '../qmt-queries.ts'
import { QuestionsCard } from '../questions/questions-card.tsx'
import { BeforeUse } from './before-use.tsx'
import { ChecklistCard } from './checklist-card.tsx'
import { configColumns } from './config-columns.tsx'
import { ConfigDrawer } from './config-drawer.tsx'
import { ConfigSheet } from './config-sheet.tsx'
import { ConfigsCard } from './configs-card.tsx'
import { ReadOnlyNote } from './read-only-note.tsx'
import { type StepKey, steps } from './run-config.ts'

// Opened rarely: their code comes when it is asked for.
const ExportDialog = lazyDialog(async () => (await import('../export/export-dialog.tsx')).ExportDialog)
const GuideDrawer = lazyDialog(async () => (await import('../guide/guide-drawer.tsx')).GuideDrawer)
const FillsDrawer = lazyDialog(async () => (await import('../fills/fills-drawer.tsx')).FillsDrawer)

/** 运行配置: the checklist, the list, and over them the editor of the one that the address names; on a phone all is only read. */
export function ConfigWork() {
  const [query, setQuery] = useSearchParams()
  const list = useList(qmtConfigsQuery)
  // By their ids: a dialog that stands open shows the config as it is now, and goes with it.
  const [exportingId, setExportingId] = useState<string | null>(null)
  const [toldId, setToldId] = useState<string | null>(null)
  const exporting = list.items.find(({ id }) => id === exportingId)
  const told = list.items.find(({ id }) => id === toldId)
  const accounts = useList(qmtAccountsQuery)
  const tradingConfigs = useList(tradingConfigsQuery)
  const { data: killSwitch } = useQuery(killSwitchQuery)
  const open = (id: string, step?: StepKey) => setQuery({ id, ...(step && { step }) })
  const close = () => setQuery({})
  const guide = guideOf(query.get('guide'))
  const openGuide = (part: GuidePart) => setQuery({ guide: part })
  const create = () => open('new')
  const phone = usePhone()
  useKeys(phone ? {} : { create })
  const id = query.get('id')
  const step = steps.find((one) => one === query.get('step')) ?? 'account'
  const columns = configColumns({ accounts: accounts.items, tradingConfigs: tradingConfigs.items, stopped: killSwitch?.on })
  return (
    <>
      <BeforeUse />
      <ChecklistCard prepared={{ accounts: accounts.items, tradingConfigs: tradingConfigs.items.length, configs: list.items }} />
      <QuestionsCard configs={list.items} onGuide={() => openGuide('unsure')} />
      <AlertsCard />
      <ConfigsCard
        list={list}
        note={phone && <ReadOnlyNote />}
        columns={columns}
        onOpen={open}
        onNew={phone ? null : create}
        onGuide={() => openGuide('unsure')}
        acts={(config) =>
          !phone && (
            <Button look={['small', 'ghost']} aria-label={`导出${config.name}`} onClick={() => setExportingId(config.id)}>
              导出
            </Button>
          )
        }
        more={(config) => [{ label: '委托与成交', run: () => setToldId(config.id) }]}
      />
      {id !== null && !list.loading && (
        <Opened
          key={id}
          id={id}
          requestedSource={query.get('source')}
          step={step}
          onStep={open}
          onExport={({ id }) => setExportingId(id)}
          onClose={close}
        />
      )}
      <Suspense>
        {exporting && <ExportDialog config={exporting} onClose={() => setExportingId(null)} />}
        {guide && <GuideDrawer part={guide} onClose={close} />}
        {told && <FillsDrawer config={told} onClose={() => setToldId(null)} />}
      </Suspense>
    </>
  )
}

const guideOf = (text: string | null): GuidePart | null => (text === 'unsure' || text === 'terminal' ? text : null)

function Opened({
  id,
  requestedSource,
  step,
  onStep,
  onExport,
  onClose,
}: {
  id: string
  requestedSource: string | null
  step: StepKey
  onStep: (id: string, step: StepKey) => void
  onExport: (config: ConfigListItem) => void
  onClose: () => void
}) {
  const { data: configs } = useQuery(qmtConfigsQuery)
  const { data: options, error, refetch } = useQuery(configOptionsQuery)
  const phone = usePhone()
  const config = configs?.list_items.find((one) => one.id === id) ?? null
  const title = id === 'new' ? '新建运行配置' : '编辑运行配置'
  if (options && phone && (config ? step !== 'dry-run' : id === 'new'))
    return <ConfigSheet config={config} onDryRun={() => onStep(id, 'dry-run')} onClose={onClose} />
  if (options && (config || id === 'new'))
    return (
      <ConfigDrawer
        config={config}
        options={options}
        requestedSource={requestedSource}
        step={step}
        onStep={onStep}
        onExport={onExport}
        onClose={onClose}
      />
    )
  return (
    <Drawer title={title} width={1024} onClose={onClose}>
      {error ? (
        <ErrorBlock error={error} still="已保存的运行配置不受影响。" onRetry={() => void refetch()} />
      ) : (
        <p className="note">{options && configs ? '这个运行配置不存在，可能已被删除。' : '正在读取…'}</p>
      )}
    </Drawer>
  )
}

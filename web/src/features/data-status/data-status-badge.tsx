import type { MarketId } from '@convexa/contract/enums/market'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useSite } from '../../api/site.ts'
import { useStrategies } from '../../state/drafts.ts'
import { Sheet } from '../../ui/dialog.tsx'
import { Popover } from '../../ui/popover.tsx'
import { useFactors } from '../rule/factors.ts'
import { dataSheetQuery } from './data-sheet-query.ts'
import { type DataStatus, dataStatusOf, refsOf } from './data-status.ts'
import styles from './data-status-badge.module.css'

/** A press on the badge shows the details. */
const DataPanel = lazy(async () => ({ default: (await import('./data-panel.tsx')).DataPanel }))

/** Shape beside colour: a mark that is read without it. */
const marks = { ok: '●', warn: '▲', bad: '■' } as const

/** The state of a market's data, `withRule` for the rule that is being edited: a colour, a mark and a word; pressed, all that is known of them. */
export function DataStatusBadge({ kind, withRule, phone = false }: { kind: MarketId; withRule: boolean; phone?: boolean }) {
  const site = useSite()
  const parameters = useStrategies((state) => state.drafts[kind]?.parameters)
  const refs = withRule && parameters ? refsOf(parameters) : []
  const { factors } = useFactors(kind)
  const { data, error, refetch } = useQuery(dataSheetQuery(kind, refs, site.data_version[kind], site.features.live_quotes))
  const [open, setOpen] = useState(false)
  const lamp: DataStatus = data ? dataStatusOf(data, factors.nameOf) : { look: 'warn', word: error ? '读取失败' : '数据', whys: [] }
  const waiting = !data && !error
  const face = (
    <>
      <span className={styles.lampMark} aria-hidden="true">
        {marks[lamp.look]}
      </span>
      <span className={styles.lampWord}>{lamp.word}</span>
    </>
  )
  const className = `${styles.lamp} ${waiting ? 'quiet' : lamp.look}`
  const label = `数据状况：${lamp.word}`
  const panel = (
    <Suspense fallback={<p className="text-2">正在读取…</p>}>
      <DataPanel {...{ kind, lamp, factors, error }} sheet={data ?? null} onRetry={() => void refetch()} />
    </Suspense>
  )
  if (!phone)
    return (
      <Popover className={className} label={label} align="right" button={face}>
        {() => (
          <section className={styles.lampPanel} aria-label="数据说明">
            {panel}
          </section>
        )}
      </Popover>
    )
  return (
    <>
      <button type="button" className={className} aria-label={label} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {face}
      </button>
      {open && (
        <Sheet title="数据说明" onClose={() => setOpen(false)}>
          <div className={styles.lampPanel}>{panel}</div>
        </Sheet>
      )}
    </>
  )
}

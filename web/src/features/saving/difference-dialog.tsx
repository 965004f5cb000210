import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import type { ReactNode } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/states.tsx'
import { Table } from '../../ui/table/table.tsx'
import { differences } from '../rule/backtest-run-difference.ts'
import { useFactors } from '../rule/factors.ts'
import styles from './saving.module.css'

interface Rule {
  parameters: Parameters
  settings: Settings
}

/** Two rules side by side: only what is different in them. */
export function DifferenceDialog({
  title,
  before,
  after,
  heads,
  footer,
  onClose,
}: {
  title: string
  before: Rule
  after: Rule
  /** What the two columns are. */
  heads: readonly [string, string]
  footer: ReactNode
  onClose: () => void
}) {
  const { id: kind } = useMarket()
  const { factors } = useFactors(kind)
  const changed = differences({ ...before, kind }, { ...after, kind }, factors.nameOf)
  return (
    <Dialog title={title} onClose={onClose} width={560} footer={footer}>
      {changed.length === 0 ? (
        <Empty icon="check" title="两边的条件与设置相同" />
      ) : (
        <Table
          dense
          className={styles.difference}
          columns={[
            { label: '改动', look: () => 'text-2', cell: ({ label }) => label },
            { label: heads[0], cell: ({ before: was }) => was },
            { label: heads[1], look: () => 'strong', cell: ({ after: is }) => is },
          ]}
          rows={changed}
          rowKey={({ label, before: was, after: is }) => `${label} ${was} ${is}`}
        />
      )}
    </Dialog>
  )
}

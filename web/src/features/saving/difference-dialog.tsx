import type { Settings } from '@convexa/contract/backtest'
import type { Parameters } from '@convexa/contract/strategy'
import type { ReactNode } from 'react'
import { useMarket } from '../../market/market-context.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Empty } from '../../ui/states.tsx'
import { differences } from '../rule/backtest-run-difference.ts'
import { useFactors } from '../rule/factors.ts'
import './saving.css'

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
        <table className="table compact difference">
          <thead>
            <tr>
              <th>改动</th>
              <th>{heads[0]}</th>
              <th>{heads[1]}</th>
            </tr>
          </thead>
          <tbody>
            {changed.map(({ label, before: was, after: is }) => (
              <tr key={`${label} ${was} ${is}`}>
                <td className="text-2">{label}</td>
                <td>{was}</td>
                <td className="strong">{is}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Dialog>
  )
}

import type { ReactNode } from 'react'
import { Tooltip } from './tooltip.tsx'

export interface TermWords {
  name: string
  /** One line for beginners. */
  meaning: string
  /** How it is computed. */
  formula?: string
  /** How it is misread. */
  mistake?: string
}

/** A word of the trade with a dotted line: its meaning, its formula and the common mistake. */
export function Term({ words, children }: { words: TermWords; children?: ReactNode }) {
  const { name, meaning, formula, mistake } = words
  return (
    <Tooltip
      words={
        <span className="term-panel">
          <b>{name}</b>
          {meaning}
          {formula && <span className="mono">{formula}</span>}
          {mistake && <i>常见误读：{mistake}</i>}
        </span>
      }
    >
      {(described) => (
        <button type="button" className="term" {...described}>
          {children ?? name}
        </button>
      )}
    </Tooltip>
  )
}

import type { ReactNode } from 'react'
import { missing } from '../base/format.ts'
import './key-values.css'

/** Names at the left, values at the right, a line between. What is missing is —. */
export const KeyValues = ({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className="key-values">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value ?? missing}</dd>
      </div>
    ))}
  </dl>
)

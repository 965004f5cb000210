import type { ReactNode } from 'react'
import { type Control, wired } from '../../../ui/form/control.ts'
import { Stack } from '../../../ui/layout.tsx'
import styles from './run-config.module.css'

interface Pick {
  value: string
  title: string
  note: string
  mark: ReactNode
}

/** One of a few, each with what has to be known of it. */
export function Picks({
  value,
  onChange,
  choices,
  ...control
}: Control & { value: string; onChange: (value: string) => void; choices: readonly Pick[] }) {
  const { id: _, ...input } = wired(control)
  return (
    <Stack gap={8} className={styles.qmtPicks} role="radiogroup" aria-label={control.label}>
      {choices.map((choice) => (
        <label key={choice.value} className={choice.value === value ? `${styles.qmtPick} ${styles.picked}` : styles.qmtPick}>
          <input {...input} type="radio" checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>
            <b>{choice.title}</b>
            <small>{choice.note}</small>
          </span>
          {choice.mark}
        </label>
      ))}
    </Stack>
  )
}

import type { BacktestListItem } from '@convexa/contract/backtest'
import { noteRun } from '../report/note-run.ts'
import { InlineText } from '../rule/inline-text.tsx'
import styles from './run-columns.module.css'
import { remarkMistake } from './strategy-name.tsx'

/** A run's note, changed where it stands. */
export function NoteCell({ run, editing, onEditing }: { run: BacktestListItem; editing: boolean; onEditing: (editing: boolean) => void }) {
  const note = run.note ?? ''
  return (
    <InlineText
      text={note}
      label="备注"
      check={remarkMistake}
      save={(next) => noteRun(run, next, () => onEditing(true))}
      editing={editing}
      onEditing={onEditing}
    >
      <button
        type="button"
        className={note ? `ellipsis ${styles.noteCell}` : `ellipsis ${styles.noteCell} none`}
        title={note || undefined}
        aria-label={note ? `修改备注：${note}` : '添加备注'}
        onClick={() => onEditing(true)}
      >
        {note || '添加备注'}
      </button>
    </InlineText>
  )
}

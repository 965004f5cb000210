import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { FieldError } from '../../../ui/field-error.tsx'
import { DateField } from '../../../ui/form/date-field.tsx'
import styles from './risk.module.css'
import type { Window } from './windows.ts'

const most = 12

/** The list of windows to be changed: names and dates; what is wrong is said under its row. */
export function EventsDialog({
  windows,
  preset,
  dates,
  onSave,
  onClose,
}: {
  windows: readonly Window[]
  preset: readonly Window[]
  dates: readonly string[]
  /** null = the preset ones again. */
  onSave: (windows: readonly Window[] | null) => void
  onClose: () => void
}) {
  const [rows, setRows] = useState<readonly Window[]>(windows)
  const change = (at: number, part: Partial<Window>) => setRows(rows.map((row, i) => (i === at ? { ...row, ...part } : row)))
  // Windows are of every report: one that was set for longer data stays as it is.
  const faults = rows.map((row) => faultOf(row, windows.includes(row) ? null : dates))
  const save = () => {
    onSave(rows)
    onClose()
  }
  return (
    <Dialog
      title="编辑事件窗口"
      width={600}
      onClose={onClose}
      footer={
        <>
          <Button
            look={['ghost']}
            onClick={() => {
              onSave(null)
              onClose()
            }}
          >
            恢复预设
          </Button>
          <span className="grow" />
          <Button onClick={onClose}>取消</Button>
          <Button look={['primary']} disabled={faults.some((fault) => fault !== null)} onClick={save}>
            保存
          </Button>
        </>
      }
    >
      <ul className={styles.windowRows}>
        {rows.map((row, i) => (
          <li key={row.key}>
            <span className="field">
              <input
                value={row.label}
                maxLength={20}
                aria-label={`第 ${i + 1} 个窗口的名称`}
                onChange={({ currentTarget }) => change(i, { label: currentTarget.value })}
              />
            </span>
            <DateField
              label={`${row.label}的开始`}
              value={row.start}
              min={dates[0]}
              max={dates.at(-1)}
              onChange={(start) => change(i, { start })}
            />
            <span className="text-3">至</span>
            <DateField
              label={`${row.label}的结束`}
              value={row.end}
              min={dates[0]}
              max={dates.at(-1)}
              onChange={(end) => change(i, { end })}
            />
            <Button
              look={['ghost', 'square', 'small']}
              icon="bin"
              aria-label={`删除${row.label}`}
              onClick={() => setRows(rows.filter((_, k) => k !== i))}
            />
            {faults[i] && <FieldError>{faults[i]}</FieldError>}
          </li>
        ))}
      </ul>
      <Button
        look={['small']}
        icon="plus"
        disabled={rows.length >= most}
        onClick={() =>
          setRows([...rows, { key: `own ${Date.now()}`, label: '新窗口', start: dates.at(-20) ?? '', end: dates.at(-1) ?? '' }])
        }
      >
        添加窗口
      </Button>
      <Button look={['small', 'ghost']} onClick={() => setRows(preset)}>
        从预设重新开始
      </Button>
    </Dialog>
  )
}

function faultOf({ label, start, end }: Window, dates: readonly string[] | null): string | null {
  if (label.trim() === '') return '请填写窗口名称'
  if (start > end) return '开始日期须早于结束日期'
  if (dates === null) return null
  if (start < (dates[0] ?? '') || end > (dates.at(-1) ?? '')) return `须在 ${dates[0]} 至 ${dates.at(-1)} 之间`
  return null
}

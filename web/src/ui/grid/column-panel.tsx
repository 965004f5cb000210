import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { Button } from '../button.tsx'
import { Checkbox, NumberField, Segmented } from '../controls.tsx'
import { Drawer } from '../dialog.tsx'
import { Icon } from '../icon.tsx'
import {
  type Arrangeable,
  type ColumnSet,
  type ColumnSettings,
  leastWidth,
  listed,
  mostWidth,
  moved,
  shownKeys,
  ticked,
  untouched,
  widened,
} from './column-settings.ts'
import './column-panel.css'

interface PanelProps {
  columns: readonly Arrangeable[]
  sets: readonly ColumnSet[]
  settings: ColumnSettings
  onChange: (settings: ColumnSettings) => void
  /** What the tints of a column mean, in its own numbers. */
  legendOf?: (key: string) => readonly { look: string; text: string }[]
  onClose: () => void
}

/** 列设置: which columns, in which order, how wide, frozen or tinted. All of it is in force at once and kept on this machine. */
export function ColumnPanel({ columns, sets, settings, onChange, legendOf, onClose }: PanelProps) {
  const [word, setWord] = useState('')
  const [said, say] = useState('')
  const byKey = new Map(columns.map((column) => [column.key, column]))
  const shown = shownKeys(columns, sets, settings)
  const found = ({ label, group = '' }: Arrangeable) => `${label}${group}`.toUpperCase().includes(word.trim().toUpperCase())
  const others = columns.filter(({ key, always }) => !always && !shown.includes(key)).filter(found)
  const groups = [...new Set(others.map(({ group }) => group ?? '其他'))]
  const move = (key: string, to: number) => {
    if (to < 0 || to >= shown.length) return
    onChange(moved(settings, shown, key, to))
    say(`${byKey.get(key)?.label ?? ''} 移到第 ${to + 1} 列`)
  }
  const row = (key: string) => {
    const column = byKey.get(key)
    if (!column || !found(column)) return null
    return (
      <ShownColumn
        key={key}
        column={column}
        settings={settings}
        legend={column.tinted && !settings.plain.includes(key) ? legendOf?.(key) : undefined}
        onChange={onChange}
        onHide={() => onChange(ticked(settings, shown, key, false))}
        onStep={(step) => move(key, shown.indexOf(key) + step)}
        onDrop={(onto) => onto !== key && move(key, shown.indexOf(onto))}
      />
    )
  }
  const choices = [
    { value: 'default', label: '默认' },
    ...sets.map(({ key, label }) => ({ value: key, label })),
    { value: 'own', label: '自定义', disabled: settings.set !== 'own' && settings.order.length === 0 },
  ]
  return (
    <Drawer
      title="列设置"
      onClose={onClose}
      width={400}
      footer={
        <>
          <Button look={['ghost']} disabled={settings === untouched} onClick={() => onChange(untouched)}>
            恢复默认
          </Button>
          <span className="grow" />
          <Button look={['primary']} onClick={onClose}>
            完成
          </Button>
        </>
      }
    >
      <div className="column-panel">
        {sets.length > 0 && (
          <Segmented label="列方案" value={settings.set} choices={choices} onChange={(set) => onChange({ ...settings, set, hidden: [] })} />
        )}
        <label className="field column-search">
          <Icon name="search" size="middle" />
          <input
            type="search"
            placeholder="搜索列"
            aria-label="搜索列"
            value={word}
            onChange={(event) => setWord(event.currentTarget.value)}
          />
        </label>
        <h3>
          已显示 {shown.length} 列 <span>拖动手柄，或聚焦手柄后按 ↑ ↓ 调整顺序</span>
        </h3>
        <ul className="column-list" aria-label="已显示的列">
          {shown.map(row)}
        </ul>
        {groups.map((group) => (
          <section key={group} aria-label={group}>
            <h3>{group}</h3>
            <div className="column-others">
              {others
                .filter((one) => (one.group ?? '其他') === group)
                .map(({ key, label }) => (
                  <Checkbox key={key} checked={false} onChange={() => onChange(ticked(settings, shown, key, true))}>
                    {label}
                  </Checkbox>
                ))}
            </div>
          </section>
        ))}
        {word !== '' && others.length === 0 && !shown.some((key) => found(byKey.get(key) as Arrangeable)) && (
          <p className="note">没有名称含「{word}」的列</p>
        )}
        <p className="hidden-text" role="status">
          {said}
        </p>
      </div>
    </Drawer>
  )
}

function ShownColumn({
  column,
  settings,
  legend,
  onChange,
  onHide,
  onStep,
  onDrop,
}: {
  column: Arrangeable
  settings: ColumnSettings
  legend: readonly { look: string; text: string }[] | undefined
  onChange: (settings: ColumnSettings) => void
  onHide: () => void
  onStep: (step: number) => void
  /** Called with the column the pointer is over. */
  onDrop: (onto: string) => void
}) {
  const { key, label } = column
  const frozen = settings.frozen.includes(key)
  const plain = settings.plain.includes(key)
  const press = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    onStep(step)
  }
  const dragOver = (event: PointerEvent) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const onto = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('.column-row')?.dataset['key']
    if (onto) onDrop(onto)
  }
  return (
    <li className="column-row" data-key={key}>
      <button
        type="button"
        className="column-handle"
        aria-label={`移动 ${label}`}
        onKeyDown={press}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={dragOver}
      >
        <i aria-hidden="true" />
      </button>
      <Checkbox checked onChange={onHide}>
        {label}
        {column.marked && <span className="brand-mark">◆</span>}
      </Checkbox>
      <span className="grow" />
      <NumberField
        label={`${label} 列宽`}
        value={settings.widths[key] ?? column.width}
        width={52}
        onChange={(width) => {
          if (width === null || (width >= leastWidth && width <= mostWidth)) onChange(widened(settings, key, width))
        }}
      />
      <button
        type="button"
        className="column-switch"
        aria-pressed={frozen}
        aria-label={`冻结 ${label}`}
        title={frozen ? '取消冻结' : '冻结在左侧'}
        onClick={() => onChange({ ...settings, frozen: listed(settings.frozen, key, !frozen) })}
      >
        冻结
      </button>
      <button
        type="button"
        className="column-switch"
        aria-pressed={column.tinted ? !plain : undefined}
        disabled={!column.tinted}
        aria-label={`着色 ${label}`}
        title={plain ? '恢复着色' : '取消着色'}
        onClick={() => onChange({ ...settings, plain: listed(settings.plain, key, !plain) })}
      >
        着色
      </button>
      {legend && legend.length > 0 && (
        <span className="column-legend">
          {legend.map(({ look, text }) => (
            <span key={look} className={look}>
              {text}
            </span>
          ))}
        </span>
      )}
    </li>
  )
}

import { useState } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { type Action, isMac, keyRow, printed } from './key-map.ts'
import { boundActions } from './use-keys.ts'
import './key-sheet.css'

const groups = [
  { scope: 'page', title: '本页' },
  { scope: 'everywhere', title: '全局' },
] as const

/** The keys that do something here and now. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const [bound] = useState(boundActions)
  return (
    <Dialog title="快捷键" width={560} onClose={onClose}>
      <div className="key-sheet">
        {groups.map(({ scope, title }) => {
          const rows = bound.filter((action) => keyRow(action).scope === scope)
          return rows.length === 0 ? null : (
            <section key={scope} aria-label={title}>
              <h3>{title}</h3>
              <dl>
                {rows.map((action) => (
                  <KeyLine key={action} action={action} />
                ))}
              </dl>
            </section>
          )
        })}
      </div>
      <p className="note">输入法选字、在输入框里打字、对话框打开时，单个字母的快捷键不起作用。</p>
    </Dialog>
  )
}

/** A key and what it does, as a row of a list. */
export function KeyLine({ action }: { action: Action }) {
  const { press, label } = keyRow(action)
  const range = press.length > 2 ? [press[0] ?? '', press.at(-1) ?? ''] : press
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {range.map((keys, index) => (
          <span key={keys}>
            {index > 0 && <small>{press.length > 2 ? '至' : '或'}</small>}
            {printed(keys, isMac()).map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  )
}

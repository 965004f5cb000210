import { Icon } from '../icon.tsx'
import { lateOverlay } from '../late-overlay.tsx'
import type { FileDrop as Field } from './file-drop-field.tsx'
import './file-drop.css'

export const FileDrop = lateOverlay(async () => (await import('./file-drop-field.tsx')).FileDrop, FileDropShell, FileDropShell)

/** Stands in the place of a field whose code is on its way. */
function FileDropShell({ endings }: Pick<Parameters<typeof Field>[0], 'endings'>) {
  return (
    <div className="file-drop-frame">
      <div className="file-drop">
        <Icon name="upload" />
        <span className="text-3">{endings.join('、')}</span>
      </div>
    </div>
  )
}

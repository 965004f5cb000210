import { create } from 'zustand'
import { local } from '../../state/storage.ts'
import { type ColumnSettings, readSettings, untouched } from './column-settings.ts'

const keyOf = (screen: string) => `preference:columns:${screen}`

interface Kept {
  of: Record<string, ColumnSettings>
}
const useKept = create<Kept>(() => ({ of: {} }))

const settingsOf = ({ of }: Kept, screen: string): ColumnSettings => (of[screen] ??= local.read(keyOf(screen), readSettings) ?? untouched)

/** The columns of a screen as its user arranged them, on this machine. */
export function useColumnSettings(screen: string): [ColumnSettings, (settings: ColumnSettings) => void] {
  const settings = useKept((kept) => settingsOf(kept, screen))
  return [settings, (next) => keep(screen, next)]
}

function keep(screen: string, settings: ColumnSettings): void {
  if (settings === untouched) local.remove(keyOf(screen))
  else local.write(keyOf(screen), settings)
  useKept.setState(({ of }) => ({ of: { ...of, [screen]: settings } }))
}

import { create } from 'zustand'
import { local } from './storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'standard' | 'compact'
export interface BasketExportSettings {
  /** 万元 */
  capital: number
  holdWeightType: number
}

const keys = {
  collapsedSettings: 'preference:collapsedSettings',
  qmtBasketExportSettings: 'preference:qmtBasketExportSettings',
  theme: 'preference:theme',
  density: 'preference:density',
  lastRotation: 'preference:lastRotation',
  heat: 'preference:heat',
} as const

interface Stored {
  /** Panel name → collapsed. */
  collapsedSettings: Record<string, boolean>
  qmtBasketExportSettings: BasketExportSettings
  theme: Theme
  density: Density
  /** Where `/rotation` leads. */
  lastRotation: string
  /** Colours behind the numbers of the screen. */
  heat: boolean
}

interface Preferences extends Stored {
  set<K extends keyof Stored>(key: K, value: Stored[K]): void
  collapse(panel: string, collapsed: boolean): void
}

const defaults: Stored = {
  collapsedSettings: {},
  qmtBasketExportSettings: { capital: 10, holdWeightType: 1 },
  theme: 'system',
  density: 'compact',
  lastRotation: '/rotation/convertible-bond/screen',
  heat: true,
}

const read = <K extends keyof Stored>(key: K): Stored[K] => local.read<Stored[K]>(keys[key]) ?? defaults[key]

export const usePreferences = create<Preferences>((set, get) => ({
  collapsedSettings: read('collapsedSettings'),
  qmtBasketExportSettings: read('qmtBasketExportSettings'),
  theme: read('theme'),
  density: read('density'),
  lastRotation: read('lastRotation'),
  heat: read('heat'),
  set(key, value) {
    local.write(keys[key], value)
    set({ [key]: value } as Pick<Stored, typeof key>)
  },
  collapse(panel, collapsed) {
    get().set('collapsedSettings', { ...get().collapsedSettings, [panel]: collapsed })
  },
}))

const darkSystem = () => window.matchMedia('(prefers-color-scheme: dark)')

/** What the eye sees now, whatever was chosen. */
export const isDark = (theme: Theme): boolean => theme === 'dark' || (theme === 'system' && darkSystem().matches)

/** Keeps the document's theme and density as chosen, and as the system changes. */
export function applyLook(): void {
  const apply = () => {
    const { theme, density } = usePreferences.getState()
    document.documentElement.dataset['theme'] = isDark(theme) ? 'dark' : 'light'
    document.documentElement.dataset['density'] = density
  }
  apply()
  usePreferences.subscribe(apply)
  darkSystem().addEventListener('change', apply)
}

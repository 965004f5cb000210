import { create } from 'zustand'
import { groupDigits } from '../base/digit-grouping.ts'
import { isPhone } from '../base/use-phone.ts'
import { atLeast, finite, flag, oneOf, recordOf, type Shape, text } from './shapes.ts'
import { local } from './storage.ts'

export type Theme = 'system' | 'light' | 'dark'
export type Density = 'standard' | 'compact'
/** The colour of what rises: red in mainland China, green abroad. */
export type Rise = 'red' | 'green'
/** Movement on the screen: as the system says, or none. */
export type Motion = 'system' | 'reduced'
/** Digits of large numbers in threes, or not. */
export type Digits = 'grouped' | 'plain'
interface BasketExportSettings {
  /** 万元 */
  capital: number
  holdWeightType: number
}

const keys = {
  collapsedSettings: 'preference:collapsedSettings',
  qmtBasketExportSettings: 'preference:qmtBasketExportSettings',
  theme: 'preference:theme',
  density: 'preference:density',
  rise: 'preference:rise',
  motion: 'preference:motion',
  digits: 'preference:digits',
  dismissed: 'preference:dismissed',
  heat: 'preference:heat',
  patterns: 'preference:patterns',
  liveYears: 'preference:liveYears',
} as const

interface Stored {
  /** Panel name → collapsed. */
  collapsedSettings: Record<string, boolean>
  qmtBasketExportSettings: BasketExportSettings
  theme: Theme
  density: Density
  rise: Rise
  motion: Motion
  digits: Digits
  /** Banner → the day on which it was closed: it stays away for that day. */
  dismissed: Record<string, string>
  /** Colours behind the numbers of the screen; not on a phone unless asked for. */
  heat: boolean
  /** Patterns on the surfaces and lines of charts, besides colours. */
  patterns: boolean
  /** How far back the builder's live curve looks. */
  liveYears: 1 | 3 | 5
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
  rise: 'red',
  motion: 'system',
  digits: 'grouped',
  dismissed: {},
  heat: true,
  patterns: false,
  liveYears: 3,
}

const shapes: { [K in keyof Stored]: Shape<Stored[K]> } = {
  collapsedSettings: recordOf(flag),
  qmtBasketExportSettings: atLeast<BasketExportSettings>({ capital: finite, holdWeightType: finite }),
  theme: oneOf('system', 'light', 'dark'),
  density: oneOf('standard', 'compact'),
  rise: oneOf('red', 'green'),
  motion: oneOf('system', 'reduced'),
  digits: oneOf('grouped', 'plain'),
  dismissed: recordOf(text),
  heat: flag,
  patterns: flag,
  liveYears: oneOf(1, 3, 5),
}

const read = <K extends keyof Stored>(key: K): Stored[K] =>
  local.read<Stored[K]>(keys[key], shapes[key]) ?? (key === 'heat' && isPhone() ? { ...defaults, heat: false } : defaults)[key]

export const usePreferences = create<Preferences>((set, get) => ({
  ...defaults,
  set(key, value) {
    local.write(keys[key], value)
    set({ [key]: value } as Pick<Stored, typeof key>)
  },
  collapse(panel, collapsed) {
    get().set('collapsedSettings', { ...get().collapsedSettings, [panel]: collapsed })
  },
}))

/** Reads what was chosen from storage: the third of the three initial loads. */
export function restorePreferences(): void {
  const stored = (Object.keys(keys) as (keyof Stored)[]).map((key) => [key, read(key)])
  usePreferences.setState(Object.fromEntries(stored) as Partial<Stored>)
}

const darkSystem = () => window.matchMedia('(prefers-color-scheme: dark)')

/** Another tab chose: this one shows it too. */
export function followOtherPreferences(): void {
  const known = new Set<string | null>([...Object.values(keys), null])
  window.addEventListener('storage', ({ key }) => {
    if (known.has(key)) restorePreferences()
  })
}

/** What the eye sees now, whatever was chosen. */
const isDark = (theme: Theme): boolean => theme === 'dark' || (theme === 'system' && darkSystem().matches)

/** Keeps the document's theme, density, colours, motion and how digits stand as chosen, and as the system changes. */
export function applyLook(): void {
  const apply = () => {
    const { theme, density, rise, motion, digits } = usePreferences.getState()
    groupDigits(digits === 'grouped')
    Object.assign(document.documentElement.dataset, { theme: isDark(theme) ? 'dark' : 'light', density, rise, motion })
  }
  apply()
  usePreferences.subscribe(apply)
  darkSystem().addEventListener('change', apply)
}

// How the app looks is kept in this browser, and on the account for the other devices. What was chosen here and could not be sent
// yet goes before what the account says.
import { calls } from '@convexa/contract/calls'
import type { Prefs, User } from '@convexa/contract/user'
import { call } from '../../api/client.ts'
import { useAuth } from '../../state/auth.ts'
import { type Density, type Digits, type Motion, type Rise, type Theme, usePreferences } from '../../state/preferences.ts'
import { text } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'
import { keepUser } from './own-user.ts'

/** The preferences that go with the account. */
export interface Shared {
  theme: Theme
  density: Density
  rise: Rise
  motion: Motion
  digits: Digits
}

/** Id of the user with a choice that is not sent yet; another user who logs in here must not inherit it. */
const unsent = 'preference:unsent'

/** Sets a preference here at once and on the account after it. */
export function choose<K extends keyof Shared>(key: K, value: Shared[K]): void {
  usePreferences.getState().set(key, value as never)
  local.write(unsent, useAuth.getState().userData?.user_id ?? null)
  void sendPrefs()
}

/** Applies the preferences of a loaded profile, or sends the choice made here that the server does not have yet. */
export function adoptPrefs(user: User): void {
  if (local.read(unsent, text) === user.user_id && !user.demo) return void sendPrefs()
  if (!user.prefs) return
  const { set, ...now } = usePreferences.getState()
  for (const [key, value] of Object.entries(sharedOf(user.prefs)) as [keyof Shared, never][]) if (now[key] !== value) set(key, value)
}

let sent: Promise<void> = Promise.resolve()

/** One after the other: all of them travel each time, and of two under way at once the older could be kept. */
function sendPrefs(): Promise<void> {
  const chooser = useAuth.getState().userData?.user_id
  sent = sent.then(() => sendNow(chooser))
  return sent
}

async function sendNow(chooser: string | undefined): Promise<void> {
  const { userData: user } = useAuth.getState()
  if (!user || user.demo || user.user_id !== chooser) return
  const prefs = prefsOf(usePreferences.getState(), user.prefs)
  try {
    const answer = await call(calls.user.changeInfo, { body: { prefs } })
    keepUser(answer)
    // Chosen again while this was on its way: that one is sent by its own call.
    if (JSON.stringify(prefsOf(usePreferences.getState(), user.prefs)) === JSON.stringify(prefs)) local.remove(unsent)
  } catch {}
}

/** As the account keeps them; what this app does not know of stays as it is. */
export const prefsOf = ({ theme, density, rise, motion, digits }: Shared, before: Prefs = {}): Prefs => ({
  ...before,
  theme,
  density,
  colors: rise === 'red' ? 'red_up' : 'green_up',
  reduced_motion: motion === 'reduced',
  number_format: digits,
})

export const sharedOf = ({ theme, density, colors, reduced_motion, number_format }: Prefs): Partial<Shared> => ({
  ...(theme && { theme }),
  ...(density && { density }),
  ...(colors && { rise: colors === 'red_up' ? ('red' as const) : ('green' as const) }),
  ...(number_format && { digits: number_format }),
  ...(reduced_motion !== undefined && { motion: reduced_motion ? ('reduced' as const) : ('system' as const) }),
})

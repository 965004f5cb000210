import { restoreAuth } from './auth.ts'
import { restorePreferences } from './preferences.ts'

/** Drafts are read as their store is loaded: it is no part of the first script, and every page that shows a draft waits for it. */
const restoreStrategies = () => void import('./drafts.ts').catch(() => {})

/** The specification's three initial loads, in its order; none throws, whatever is in storage. */
export const initialLoads = [
  ['auth', restoreAuth],
  ['strategies', restoreStrategies],
  ['preferences', restorePreferences],
] as const

// This file is imported before all others: the router asks for the login as soon as it is made, and nothing is drawn before it.
for (const [, load] of initialLoads) load()

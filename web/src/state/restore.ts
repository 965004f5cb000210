import { restoreAuth } from './auth.ts'
import { restorePreferences } from './preferences.ts'
import { restoreStrategies } from './strategies.ts'

/** The specification's three initial loads, in its order. */
export const initialLoads = [
  ['auth', restoreAuth],
  ['strategies', restoreStrategies],
  ['preferences', restorePreferences],
] as const

// This file is imported before all others: the router asks for the login as soon as it is made, and nothing is drawn before it.
for (const [, load] of initialLoads) load()

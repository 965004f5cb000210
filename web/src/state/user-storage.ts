import { useAuth } from './auth.ts'
import { recordOf, type Shape, text } from './shapes.ts'
import { type KeyValueStore, local, onOtherTab } from './storage.ts'

// What a person has written stays in the browser under one key per kind, and beside it whose it is. When another person writes there, what
// was there is set aside under that key with its owner's id, and is theirs again when they are back. What was written without a login
// (a rule taken from a shared report) belongs to who logs in next.

const ownersKey = 'keptFor'
type Owners = Readonly<Record<string, string>>

/** Who is logged in; null: nobody. */
export const userId = (): string | null => useAuth.getState().userData?.user_id ?? null
const owners = (): Owners => local.read(ownersKey, recordOf(text)) ?? {}
/** Whose that is which stands under a key; null: nobody's yet. */
export const ownerOf = (key: string): string | null => owners()[key] ?? null
const aside = (key: string, user: string) => `${key}:${user}`

function give(key: string, user: string | null): void {
  const { [key]: _, ...others } = owners()
  local.write(ownersKey, user === null ? others : { ...others, [key]: user })
}

interface UserStorage extends Pick<KeyValueStore, 'write' | 'remove'> {
  /** `quiet`: what does not fit is only absent, since another tab, of a later release it may be, has just written it. */
  read<T>(key: string, shape: Shape<T>, quiet?: boolean): T | null
}

/** Browser storage of the user who is logged in: no other user reads what they have written. */
export const userStorage: UserStorage = {
  read(key, shape, quiet = false) {
    const user = userId()
    const owner = ownerOf(key)
    if (owner !== null && owner !== user) return user === null ? null : local.read(aside(key, user), shape, quiet ? undefined : user)
    const value = local.read(key, shape, quiet ? undefined : (user ?? ''))
    if (owner === null && user !== null && value !== null) give(key, user)
    return value
  },
  write(key, value) {
    const user = userId()
    const owner = ownerOf(key)
    if (owner !== user) {
      const theirs = owner === null ? null : local.read<unknown>(key, (value) => value)
      if (owner !== null && theirs !== null) local.write(aside(key, owner), theirs)
      // Before the value: a tab of theirs that hears of it must not take it for its own.
      give(key, user)
      if (user !== null) local.remove(aside(key, user))
    }
    local.write(key, value)
  },
  remove(key) {
    const user = userId()
    const owner = ownerOf(key)
    if (owner === null || owner === user) local.remove(key)
    else if (user !== null) local.remove(aside(key, user))
  },
}

/** Calls `changed` whenever what is kept under a key may be another: written by another tab, or another person is logged in. */
export function onOwnChange(key: string, changed: () => void): void {
  onOtherTab(key, changed)
  useAuth.subscribe((now, before) => {
    if (now.userData?.user_id !== before.userData?.user_id) changed()
  })
}

import { useAuth } from './auth.ts'
import { recordOf, type Shape, text } from './shapes.ts'
import { type KeyValueStore, local, onOtherTab } from './storage.ts'

// A user's work is stored in the browser under one key per kind, with its owner beside it. When another user writes the key, the value
// is set aside under the key with its owner's id, and restored when that owner is back. A value written without a login
// (a rule taken from a shared report) goes to the next user to log in.

const ownersKey = 'keptFor'
type Owners = Readonly<Record<string, string>>

/** Id of the logged-in user; null without a login. */
export const userId = (): string | null => useAuth.getState().userData?.user_id ?? null
const owners = (): Owners => local.read(ownersKey, recordOf(text)) ?? {}
/** Id of the user that a key's value belongs to; null: nobody yet. */
export const ownerOf = (key: string): string | null => owners()[key] ?? null
const aside = (key: string, user: string) => `${key}:${user}`

function give(key: string, user: string | null): void {
  const { [key]: _, ...others } = owners()
  local.write(ownersKey, user === null ? others : { ...others, [key]: user })
}

interface UserStorage extends Pick<KeyValueStore, 'write' | 'remove'> {
  /** `quiet`: what does not fit is only absent, since another tab, of a later release it may be, has just written it. */
  read<T>(key: string, shape: Shape<T>, silent?: boolean): T | null
}

/** Browser storage of the user who is logged in: no other user reads what they have written. */
export const userStorage: UserStorage = {
  read(key, shape, silent = false) {
    const user = userId()
    const owner = ownerOf(key)
    if (owner !== null && owner !== user) return user === null ? null : local.read(aside(key, user), shape, silent ? undefined : user)
    const value = local.read(key, shape, silent ? undefined : (user ?? ''))
    if (owner === null && user !== null && value !== null) give(key, user)
    return value
  },
  write(key, value) {
    const user = userId()
    const owner = ownerOf(key)
    if (owner !== user) {
      const theirs = owner === null ? null : local.read<unknown>(key, (value) => value)
      if (owner !== null && theirs !== null) local.write(aside(key, owner), theirs)
      // The owner changes before the value: a tab of the previous owner must not take the new value for its own.
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

import { local, session } from './storage.ts'
import { ownerOf, userId } from './user-storage.ts'

/** Keys that are kept: the login, display preferences, owners of keys, and records set aside earlier. */
const stays = /^(tokenData|userData|fingerprint|keptFor|preference:(theme|density|rise|motion|digits|heat|patterns|unsent)|unread:.*)$/
/** Keys of the user's own work: set aside under another name before they are removed. */
const made = /^((cb|stk)Strategy|draft:|factorDrafts|factorFavourites|heldLists|confirmedLists|reportWindows)/

/** True of another user's records: no page reads them, and they stay. */
function isAnothers(key: string): boolean {
  const owner = key.startsWith('draft:') ? key.split(':')[2] : (/:([0-9a-f-]{36})$/.exec(key)?.[1] ?? ownerOf(key))
  return Boolean(owner) && owner !== userId()
}

/** Removes all that pages read from this browser's storage, except the login. */
export function clearStored(): void {
  for (const key of local.names()) {
    if (stays.test(key) || isAnothers(key)) continue
    if (made.test(key)) local.setAside(key, userId() ?? '')
    local.remove(key)
  }
  for (const key of session.names()) if (!stays.test(key)) session.remove(key)
}

import { local, session } from './storage.ts'
import { ownerOf, userId } from './user-storage.ts'

/** Who is logged in, how the app looks, whose things are, and what was set aside before. */
const stays = /^(tokenData|userData|fingerprint|keptFor|preference:(theme|density|rise|motion|digits|heat|patterns|unsent)|unread:.*)$/
/** What somebody made: kept under another name, in case it is wanted. */
const made = /^((cb|stk)Strategy|draft:|factorDrafts|factorFavourites|heldLists|confirmedLists|reportWindows)/

/** Of another person no page reads anything, and nothing is taken away. */
function isAnothers(key: string): boolean {
  const owner = key.startsWith('draft:') ? key.split(':')[2] : (/:([0-9a-f-]{36})$/.exec(key)?.[1] ?? ownerOf(key))
  return Boolean(owner) && owner !== userId()
}

/** Takes away all that this browser has stored and that a page reads, but not the login. */
export function clearStored(): void {
  for (const key of local.names()) {
    if (stays.test(key) || isAnothers(key)) continue
    if (made.test(key)) local.setAside(key, userId() ?? '')
    local.remove(key)
  }
  for (const key of session.names()) if (!stays.test(key)) session.remove(key)
}

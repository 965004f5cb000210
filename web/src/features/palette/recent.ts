import { atLeast, eachOf, optional, text } from '../../state/shapes.ts'
import { userStorage } from '../../state/user-storage.ts'
import type { Entry } from './find.ts'

const key = 'palette:recent'
const most = 6
const shape = eachOf(
  atLeast<Entry>({ id: text, title: text, to: text, code: optional(text), initials: optional(text), note: optional(text) }),
)

/** What its user went to last from here, the newest first: names of their own strategies too. It is kept on this machine only. */
export const recentEntries = (): Entry[] => userStorage.read(key, shape) ?? []

export const remember = (entry: Entry): void =>
  userStorage.write(key, [entry, ...recentEntries().filter(({ id }) => id !== entry.id)].slice(0, most))

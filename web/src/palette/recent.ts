import { ownShelf } from '../state/own-shelf.ts'
import type { Entry } from './find.ts'

const key = 'palette:recent'
const most = 6

/** What its user went to last from here, the newest first: names of their own strategies too. It is kept on this machine only. */
export const recentEntries = (): Entry[] => ownShelf.read<Entry[]>(key) ?? []

export const remember = (entry: Entry): void =>
  ownShelf.write(key, [entry, ...recentEntries().filter(({ id }) => id !== entry.id)].slice(0, most))

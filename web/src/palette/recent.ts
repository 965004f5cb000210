import { local } from '../state/storage.ts'
import type { Entry } from './find.ts'

const key = 'palette:recent'
const most = 6

/** What was gone to last from here, the newest first. It is kept on this machine only. */
export const recentEntries = (): Entry[] => local.read<Entry[]>(key) ?? []

export const remember = (entry: Entry): void =>
  local.write(key, [entry, ...recentEntries().filter(({ id }) => id !== entry.id)].slice(0, most))

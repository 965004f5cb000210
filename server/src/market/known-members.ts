/** The securities of a snapshot with what they did on its last day, parsed once a process: the list of a market of shares takes milliseconds. */
import { bears, type Security } from '@convexa/engine'
import { readManifest } from './manifest.ts'
import { memoizeRead } from './memoize-read.ts'
import { readLastRow, readMissingBars, readSecurities } from './read-store.ts'

export interface KnownMember {
  readonly security: Security
  readonly listed: boolean
  readonly traded: boolean
  /** Neither a bar nor a suspension of the day has come. */
  readonly lacksBar: boolean
}

// Of each market the newest two: answers to one question may be of either.
const known = memoizeRead<readonly KnownMember[]>(4)

/** In the order of their codes. @throws BrokenSnapshot */
export const knownMembers = (folder: string): Promise<readonly KnownMember[]> => known(folder, () => read(folder))

async function read(folder: string): Promise<KnownMember[]> {
  const manifest = await readManifest(folder)
  const [securities, listed, traded, missingBars] = await Promise.all([
    readSecurities(folder, manifest),
    readLastRow(folder, manifest, 'listed'),
    readLastRow(folder, manifest, 'traded'),
    readMissingBars(folder, manifest),
  ])
  const missing = missingBars?.get(manifest.last_date)
  return securities.map((security, i) => ({
    ...{ security, listed: listed[i] === 1, traded: traded[i] === 1 },
    lacksBar: missing !== undefined && bears(security, missing),
  }))
}

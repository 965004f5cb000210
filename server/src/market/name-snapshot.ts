import { v7 as uuid } from 'uuid'
import { snapshotStoreOf, type Uploaded } from '../store/snapshot-store.ts'
import type { Manifest } from './manifest.ts'

/** What a folder that is whole will be called; where there is an object store, its objects lie there. */
export interface Named {
  readonly id: string
  readonly folder: string
  readonly uploaded: Uploaded | null
}

/**
 * Gives a folder its name and puts it into the object store, where there is one. Nothing refers to it yet: what is not announced is
 * condemned later. `before`: the snapshot that it may share objects with.
 */
export async function nameAndUpload(
  dataDir: string,
  aside: string,
  { data_version, files }: Pick<Manifest, 'data_version' | 'files'>,
  before: { readonly folder: string } | null,
): Promise<Named> {
  const id = uuid()
  const folder = `${data_version}-${id.slice(-6)}`
  const uploaded = (await snapshotStoreOf(dataDir)?.upload(aside, folder, files, before?.folder ?? null)) ?? null
  return { id, folder, uploaded }
}

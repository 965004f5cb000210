import type { StoreSettings } from '../config/config.ts'
import { folderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { s3Store } from './s3-store.ts'

/** The store that `STORE_URL` names. */
export async function openStore({ address, keys }: StoreSettings): Promise<ObjectStore> {
  return address.kind === 'folder' ? folderStore(address.folder) : s3Store(address, keys)
}

import type { StoreSettings } from '../config/config.ts'
import { folderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { s3Store } from './s3-store.ts'
import { counted } from './store-figures.ts'

/** The store that `STORE_URL` names. */
export async function openStore({ address, keys }: StoreSettings): Promise<ObjectStore> {
  return counted(address.kind === 'folder' ? folderStore(address.folder) : await s3Store(address, keys))
}

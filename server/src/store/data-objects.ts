import { join } from 'node:path'
import { folderStore } from './folder-store.ts'
import type { ObjectStore } from './object-store.ts'
import { snapshotStoreOf } from './snapshot-store.ts'

/** The objects of a data folder that were objects from the beginning: in the store of STORE_URL, else in `DATA_DIR/store`. */
export const objectsOf = (dataDir: string): ObjectStore => snapshotStoreOf(dataDir)?.objects ?? folderStore(join(dataDir, 'store'))

import type { Generated } from 'kysely'

/** What lies in the object store. */
export interface StoreTables {
  /** `state`: 0 being written, 1 there, 2 condemned. */
  stored_object: {
    key: string
    bytes: string
    state: Generated<0 | 1 | 2>
    touched_at: Generated<Date>
    condemned_at: Date | null
  }
  snapshot_object: { snapshot_id: string; key: string }
  /** `place`: of the file, below `DATA_DIR/raw`. */
  raw_object: { key: string; place: string; given_at: Generated<Date> }
}

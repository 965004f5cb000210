import type { Need } from '../../db/tables/answers.ts'
import type { SnapshotKind } from '../../market/manifest.ts'

/** The question for the bars of a market. */
export const barNeeds = { stk: 'stock-day', cb: 'bond-day', index: 'index-day' } as const satisfies Record<SnapshotKind, Need>
/** The question for the list of its securities; null: it has none. */
export const listNeeds = { stk: 'stock-list', cb: 'bond-list', index: null } as const satisfies Record<SnapshotKind, Need | null>

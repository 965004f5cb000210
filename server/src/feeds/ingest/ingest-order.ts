import type { SnapshotKind } from '../../market/store.ts'

/** Stocks first: bonds are joined with them. */
export const ingestOrder = ['stk', 'index', 'cb'] as const satisfies readonly SnapshotKind[]

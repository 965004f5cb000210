import type { SnapshotKind } from '../../market/manifest.ts'

/** Stocks first: bonds are joined with them. */
export const ingestOrder = ['stk', 'index', 'cb'] as const satisfies readonly SnapshotKind[]

import { marketIds } from '@convexa/contract/enums/market'
import type { SnapshotKind } from '../../market/manifest.ts'
import { marketRules } from '../../market/market-rules.ts'

const isJoined = (id: (typeof marketIds)[number]) => marketRules[id].issuerMarket !== null

/** Stocks first: bonds are joined with them. */
export const ingestOrder: readonly SnapshotKind[] = [...marketIds.filter((id) => !isJoined(id)), 'index', ...marketIds.filter(isJoined)]

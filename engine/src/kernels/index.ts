export { type Arena, arenaOf, arenaOn, forget, ownArena, trimArena, type WasmKernel } from './arena.ts'
export { BufferPool } from './buffer-pool.ts'
export { orderRow, type RankScratch, rankRow, rankScratch } from './rank.ts'

export { orderByKernel, ranksOf, type SortedOrder, sortedOrderOf, sortedOrderTwin } from './sort-order.ts'

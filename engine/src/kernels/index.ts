export { type Arena, arenaOf, giveBack, type WasmKernel } from './arena.ts'
export { orderRow, type RankScratch, rankRow, rankScratch } from './rank.ts'

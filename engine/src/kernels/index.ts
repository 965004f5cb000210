export { type Arena, arenaOf, giveBack, sharedArena, sharedMemory, type WasmKernel } from './arena.ts'
export { orderRow, type RankScratch, rankRow, rankScratch } from './rank.ts'

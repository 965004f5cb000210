export { type Arena, arenaOf, arenaOn, forget, giveBack, ownArena, type WasmKernel } from './arena.ts'
export { Lent } from './lent.ts'
export { orderByKernel, type Places, placesOf, placesOfTwin, ranksOf } from './places.ts'
export { orderRow, type RankScratch, rankRow, rankScratch } from './rank.ts'

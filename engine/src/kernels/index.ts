export { orderRow, type RankScratch, rankRow, rankScratch } from './rank.ts'

import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '../database.ts'
import { drillWords, payDrill } from '../pay-drill.ts'
import { type PayStandIn, payStandIn } from '../pay-stand-in.ts'

// G1 and G22, a small share of them; `npm run chaos:pay` does a thousand.

let database: TestDatabase
let standIn: PayStandIn

beforeEach(async () => {
  database = await testDatabase()
  standIn = await payStandIn()
})
afterEach(async () => {
  await standIn.close()
  await database.drop()
})

test.each([
  ['SIGKILL', Number(process.env['PAY_KILLS'] ?? 10)],
  ['SIGTERM', 4],
] as const)(
  '%s × %i while sixteen clients buy: nothing is lost, nothing counts twice',
  async (signal, kills) => {
    const seen = await payDrill({ db: database.db, databaseUrl: database.url, standIn, kills, signal })
    console.info(drillWords(seen, signal))
    expect(seen).toMatchObject({ lost: [], wrong: 0 })
    expect(seen.granted).toBeGreaterThan(0)
  },
  600_000,
)

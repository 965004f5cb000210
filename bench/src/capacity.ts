/**
 * `npm run capacity [-- --prices FILE]`: computes docs/capacity.md from the measured rows of bench/RESULTS.md. With a file of prices it prints
 * what a month costs, and writes nothing.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readMeasured } from './capacity/measured.ts'
import { capacityOf, costOf, type Prices } from './capacity/model.ts'
import { capacityPage } from './capacity/page.ts'

const priceNames = ['core', 'memoryGb', 'keptGb', 'writtenGb', 'sentGb'] as const

try {
  const { values } = parseArgs({ options: { prices: { type: 'string' } } })
  const measured = readMeasured(readFileSync(new URL('../RESULTS.md', import.meta.url), 'utf8'))
  if (values.prices === undefined) {
    writeFileSync(new URL('../../docs/capacity.md', import.meta.url), capacityPage(measured))
    console.log('docs/capacity.md')
  } else {
    const prices = pricesOf(JSON.parse(readFileSync(values.prices, 'utf8')))
    for (const users of [1_000, 10_000]) {
      const { month, user } = costOf(capacityOf(measured, users), prices)
      console.log(`${users} users at once: ${month.toFixed(0)} a month, ${user.toFixed(2)} a user`)
    }
  }
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

/** @throws where a price is missing or no number from 0 on */
function pricesOf(given: unknown): Prices {
  const known = Object(given) as Record<string, unknown>
  const wrong = priceNames.filter((name) => !(Number.isFinite(known[name]) && Number(known[name]) >= 0))
  if (wrong.length > 0) throw new Error(`the prices lack a number from 0 on: ${wrong.join(', ')}`)
  return known as unknown as Prices
}

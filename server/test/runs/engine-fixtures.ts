import type { MarketId, Parameters, Settings } from '@convexa/contract'
import type { Panel } from '@convexa/engine'

// Made-up markets and requests of the engine's own tests. They are of another project, which this one's types cannot enter.

interface Fixtures {
  randomMarket(kind: MarketId, shape: { seed: number; days: number; securities: number; from?: string; terms?: boolean }): Panel
  anyRequest(kind: MarketId, seed: number, dates: readonly string[]): { parameters: Parameters; settings: Settings }
}

const read = (path: string): Promise<unknown> => import(new URL(`../../../engine/test/${path}`, import.meta.url).href)

export async function engineFixtures(): Promise<Fixtures> {
  const files = await Promise.all([read('fixtures/random-market.ts'), read('fuzz/compare-backtests.ts')])
  return Object.assign({}, ...files) as Fixtures
}

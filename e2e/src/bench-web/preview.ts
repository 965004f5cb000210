import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { type Figure, quantile } from './figure.ts'

const securities = 5_500
const [filters, ranks] = [10, 20]
const edits = 60

/**
 * How long the browser's own screen takes for one edit: 5,500 securities, 10 conditions, 20 scoring factors, in the built worker,
 * from the message to the answer.
 */
export async function measurePreview(browser: Browser): Promise<Figure[]> {
  const assets = fileURLToPath(new URL('../../../web/dist/assets', import.meta.url))
  const worker = readdirSync(assets).find((file) => /^worker-.*\.js$/.test(file))
  if (!worker) throw new Error('web/dist has no screen worker: build the web first')
  const server = createServer(async (request, response) => {
    if (request.url?.endsWith('.js'))
      return response.setHeader('content-type', 'text/javascript').end(await readFile(`${assets}/${request.url.split('/').at(-1)}`))
    response.setHeader('content-type', 'text/html').end('<!doctype html>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no port')
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${address.port}/`)
  const times = await page.evaluate(
    async ({ url, securities, filters, ranks, edits }) => {
      let seed = 7
      const next = () => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31
      const worker = new Worker(url, { type: 'module' })
      const answer = () => new Promise((resolve) => worker.addEventListener('message', ({ data }) => resolve(data), { once: true }))
      const all = <T>(value: (i: number) => T) => Array.from({ length: securities }, (_, i) => value(i))
      worker.postMessage({
        type: 'day',
        kind: 'stk',
        date: '2026-11-20',
        codes: all((i) => `${900_000 + i}.DM`),
        facts: {
          names: all((i) => `演示股份${i}`),
          issuers: all(String),
          boards: all((i) => ['SSE_MAIN', 'SZSE_MAIN', 'CHINEXT', 'STAR'][i % 4]),
          listed: all(() => '2015-01-05'),
          traded: all(() => Number(next() > 0.01)),
          leaving: all(() => 0),
          call_days: all(() => null),
          texts: { industry_1: all((i) => `行业${i % 31}`) },
          columns: { is_st: all(() => Number(next() < 0.03)) },
        },
      })
      const refs = Array.from({ length: filters + ranks }, (_, k) => `formula: bench_${k}`)
      worker.postMessage({
        type: 'columns',
        columns: refs.map((ref) => ({
          ref,
          label: ref,
          values: Float64Array.from({ length: securities }, () => (next() < 0.02 ? Number.NaN : next() * 100)),
        })),
      })
      const parameters = {
        version: 1,
        universe: { markets: [], exclude_codes: [] },
        exclude: { st: true, list_days: 3, suspended: true, org_types: [], areas: [], industries: [] },
        filter_factors: refs
          .slice(0, filters)
          .map((factor_key) => ({ factor_key, action: 'exclude', operation: 'gt', value: 97, enable: true })),
        rank_factors: refs.slice(filters).map((factor_key) => ({
          factor_key,
          prefer: 'small',
          weight: 1,
          missing_process: 'exclude',
          neutralization: null,
          enable: true,
        })),
        rank_method: 'rank',
        hold_method: {
          hold_range_type: 1,
          hold_range_start: 1,
          hold_range_end: 20,
          hold_weight_type: 1,
          hold_max_weight: 1,
          hold_threshold: 0,
          empty_slot: 'next',
        },
        rebalance_method: { rebalance_type: 0, rebalance_value: 1 },
        stop_method: { stop_type: 0 },
        hold_days: 0,
      }
      const times: number[] = []
      for (let id = 1; id <= edits; id++) {
        // A bound is dragged, a weight is typed, by turns.
        const filter = parameters.filter_factors[id % filters]
        const rank = parameters.rank_factors[id % ranks]
        if (id % 2 && filter) filter.value = 80 + next() * 19
        else if (rank) rank.weight = 1 + Math.floor(next() * 9)
        const began = performance.now()
        const told = answer()
        worker.postMessage({ type: 'screen', id, parameters, previous: [] })
        const { answer: made } = (await told) as { answer: { total: number } | null }
        times.push(performance.now() - began)
        if (!made || made.total < 100) throw new Error('nothing was screened')
      }
      return times
    },
    { url: `/assets/${worker}`, securities, filters, ranks, edits },
  )
  await page.close()
  server.close()
  return [
    {
      name: `screen of an edit in the browser, ${securities} × ${filters} × ${ranks}`,
      value: quantile(times.slice(1), 0.95),
      unit: 'ms p95',
      goal: 100,
    },
  ]
}

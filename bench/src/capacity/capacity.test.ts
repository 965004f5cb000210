import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { sectionsOf } from '../load/requests.ts'
import { sectionText } from '../section.ts'
import { type Kind, kinds, readMeasured } from './measured.ts'
import { capacityOf, costOf, rates } from './model.ts'
import { capacityPage } from './page.ts'

const file = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** Costs in milliseconds by api, worker and PostgreSQL, as a plan had them whose sums are known. */
const planned: Record<Kind, readonly [api: number, worker: number, database: number]> = {
  screen: [2, 6.9, 1.7],
  'quick run': [2, 10, 2],
  'page or list': [2, 0, 1],
  'live refresh': [2, 3.5, 1.5],
  'stored run': [15, 200, 25],
  'report opened': [6, 150, 4],
  'day page': [3, 30, 2],
  login: [18, 0, 2],
}
const told = {
  measured: kinds.map((name) => ({ ...of(planned[name]), name, requests: 10, bytes: 1_000 })),
  stored: { core: 51_000, row: 4_000, wal: 40_000 },
}
const results = sectionsOf(told, '1.0')
  .map((section) => sectionText(section, 'a day · a commit'))
  .join('\n')

function of([api, worker, database]: readonly [number, number, number]) {
  return { api, worker, database }
}

it('the page is what the measured rows come to', () => {
  expect(file('docs/capacity.md')).toBe(capacityPage(readMeasured(file('bench/RESULTS.md'))))
})

it('rows are read as the bench writes them', () => {
  const { on, cost, stored } = readMeasured(results)
  expect(on).toBe('a day · a commit')
  expect(cost.screen).toEqual({ api: 2, worker: 6.9, database: 1.7, bytes: 1_000 })
  expect(stored).toEqual(told.stored)
})

it('a row that is missing is named', () => {
  expect(() => readMeasured(results.replace('| login |', '| logout |'))).toThrow('no row "login"')
  expect(() => readMeasured('')).toThrow('no section "Requests by part"')
})

it('cores, disk and machines are those of the plan', () => {
  const { cores, kept, machines, written } = capacityOf(readMeasured(results), 10_000)
  expect([cores.api, cores.worker, cores.database, cores.all].map((value) => Number(value.toFixed(1)))).toEqual([9.5, 19.7, 6.5, 35.6])
  expect([kept.cores / 1e12, kept.rows / 1e12].map((value) => Number(value.toFixed(2)))).toEqual([1.44, 0.23])
  expect([written.coresADay / 1e9, written.rowsADay / 1e9]).toEqual([5.1, 0.4])
  expect(machines).toMatchObject({ api: 3, worker: 3, database: 1, standbys: 2 })
  expect(rates['stored run']).toBeCloseTo(4.17, 2)
})

it('a tenth of the users needs a tenth, and each price counts', () => {
  const measured = readMeasured(results)
  const [small, whole] = [1_000, 10_000].map((users) => capacityOf(measured, users)) as [
    ReturnType<typeof capacityOf>,
    ReturnType<typeof capacityOf>,
  ]
  expect(whole.cores.all / small.cores.all).toBeCloseTo(10)
  const none = { core: 0, memoryGb: 0, keptGb: 0, writtenGb: 0, sentGb: 0 }
  expect(costOf(whole, none)).toEqual({ month: 0, user: 0 })
  expect(costOf(whole, { ...none, core: 1 }).month).toBe(whole.machines.cores)
  expect(costOf(whole, { ...none, keptGb: 1 }).month).toBeCloseTo((whole.kept.cores + whole.kept.rows) / 1e9)
  expect(costOf(whole, { ...none, writtenGb: 1 }).month).toBeCloseTo(30 * 5.5)
  expect(costOf(whole, { ...none, memoryGb: 1 }).user).toBeCloseTo(whole.machines.memoryGb / 10_000)
  expect(costOf(whole, { ...none, sentGb: 1 }).month).toBeCloseTo((whole.sentASecond * 3_600 * 200) / 1e9)
})

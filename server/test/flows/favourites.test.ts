import type { BacktestListItem, Page } from '@convexa/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { packJson } from '../../src/http/packed-json.ts'
import { limits } from '../../src/usage/limits.ts'
import { asking } from '../fixtures/account.ts'
import { type TestDatabase, testDatabase } from '../fixtures/database.ts'
import { newUser, type TestUser } from '../fixtures/processes.ts'
import { insertRun } from '../fixtures/run-rows.ts'
import { testWorld } from '../fixtures/world.ts'

let database: TestDatabase
let app: FastifyInstance
let owner: string
let user: TestUser

const { ask } = asking(() => app)
const mark = (id: string, on: unknown, who = user) => ask('PUT', `/v1/quant/backtest/${id}/favourite`, { token: who.token, body: { on } })
const marked = async () => {
  const { data } = await ask<Page<BacktestListItem>>('GET', '/v1/quant/backtest/list?limit=100', { token: user.token })
  return data.list_items.filter(({ favourite }) => favourite).map(({ backtest_id: id }) => id)
}

beforeAll(async () => {
  database = await testDatabase()
  const { context } = testWorld(database, { config: { checkAnswers: false } })
  owner = context.processId
  app = await buildApp(context)
})
beforeEach(async () => {
  user = await newUser(database.db)
})
afterAll(async () => {
  await app.close()
  await database.drop()
})

const made = (count = 1) => Promise.all(Array.from({ length: count }, () => insertRun(database.db, user.id, owner)))

test('a run is marked and unmarked; the same again changes nothing; the list and the report say it', async () => {
  const [id = ''] = await made()
  await database.db.updateTable('backtest_run').set({ status: 2 }).where('id', '=', id).execute()
  await database.db
    .insertInto('run_report')
    .values({ run_id: id, report: await packJson({ kind: 'cb', curves: {} }, 'members'), headless: true })
    .execute()
  const inReport = async () =>
    (await ask<{ favourite: boolean }>('GET', `/v1/quant/convertible-bond/backtest/${id}/detail/report`, { token: user.token })).data
      .favourite
  expect([await marked(), await inReport()]).toEqual([[], false])
  for (const on of [true, true]) expect(await mark(id, on)).toMatchObject({ status: 200, data: {} })
  expect([await marked(), await inReport()]).toEqual([[id], true])
  for (const on of [false, false]) expect(await mark(id, on)).toMatchObject({ status: 200, data: {} })
  expect([await marked(), await inReport()]).toEqual([[], false])
})

test('only as many as the plan allows, two at once included; one that is taken back makes room', async () => {
  const most = limits.free.favourites
  const ids = await made(most + 2)
  for (const id of ids.slice(0, most - 1)) await mark(id, true)
  const last = ids.slice(most - 1)
  const answers = await Promise.all(last.map((id) => mark(id, true)))
  expect(answers.map(({ code }) => code).sort()).toEqual([0, 21005, 21005])
  const refused = answers.find(({ code }) => code === 21005)
  expect(refused).toMatchObject({ status: 409, msg: `收藏的回测数量已达上限（20 个）；会员可提升额度（收藏的回测 200 个）` })
  expect(await marked()).toHaveLength(most)
  await mark(ids[0] ?? '', false)
  const left = last.filter((_, i) => answers[i]?.code === 21005)
  expect(await mark(left[0] ?? '', true)).toMatchObject({ code: 0 })
})

test('the run of another is not there, and what is no yes or no is refused with a sentence', async () => {
  const [id = ''] = await made()
  expect(await mark(id, true, await newUser(database.db))).toMatchObject({ status: 404, code: 40004 })
  expect(await mark('01900000-0000-7000-8000-000000000000', true)).toMatchObject({ status: 404, code: 40004 })
  for (const on of ['true', 1, null]) expect(await mark(id, on)).toMatchObject({ status: 400, code: 40000 })
  expect(await marked()).toEqual([])
})

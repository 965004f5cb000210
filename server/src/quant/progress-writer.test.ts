import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { progressWriter } from './progress-writer.ts'
import type { StoredEvent } from './run-state.ts'

const progress = (percent: number) => ({ type: 'progress', percent, date: '2024-01-02', nav: 1, bench: null, hold: 1, trades: 0 }) as const

/** Keeps what is appended; each time `answer` says how it goes. */
function kept(answer: (time: number) => Promise<boolean>) {
  const rows: { seq: number; payload: StoredEvent }[][] = []
  let lost = 0
  const append = async (events: readonly { seq: number; payload: StoredEvent }[]) => {
    rows.push([...events])
    return answer(rows.length)
  }
  return { rows, losses: () => lost, told: progressWriter(append, () => lost++, { seq: 1, percent: 0 }, 1) }
}

test('one statement at a time, of what came meanwhile only the newest progress, and percent never falls', async () => {
  const { rows, told } = kept(() => sleep(5).then(() => true))
  told.tell([progress(1)])
  told.tell([progress(30)])
  told.tell([progress(20)])
  await told.close()
  expect(rows.map((events) => events.map(({ seq, payload }) => [seq, 'percent' in payload && payload.percent]))).toEqual([
    [[2, 1]],
    [[3, 30]],
  ])
})

test('nothing is told of a run that is lost, and it closes', async () => {
  const { rows, losses, told } = kept(async () => false)
  told.tell([progress(1)])
  await sleep(1)
  told.tell([progress(2)])
  await told.close()
  told.tell([progress(3)])
  await told.close()
  expect([rows.length, losses()]).toEqual([1, 1])
})

test('a database that is away costs a step; one that refuses, all that follow', async () => {
  const away = kept(async (time) => {
    if (time === 1) throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    return true
  })
  away.told.tell([progress(1)])
  away.told.tell([progress(2)])
  await away.told.close()
  expect(away.rows).toHaveLength(2)
  const refusing = kept(() => Promise.reject(new Error('canceling statement due to statement timeout')))
  refusing.told.tell([progress(1)])
  await sleep(1)
  refusing.told.tell([progress(2)])
  await refusing.told.close()
  expect([refusing.rows.length, refusing.losses()]).toEqual([1, 0])
})

test('nothing to tell is nothing to wait for', async () => {
  const { rows, told } = kept(async () => true)
  told.tell([])
  await told.close()
  expect(rows).toEqual([])
})

import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAnswer, rawFolder, readAnswer, sweepAnswers } from './raw-answers.ts'

let dataDir: string
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'convexa-raw-'))
})
afterAll(() => rm(dataDir, { recursive: true }))

it('an answer whose file was damaged is none, until it is given again', async () => {
  const calendar = [{ date: '2026-11-20', open: true }]
  const keep = () => keepAnswer(dataDir, 'calendar', '2026-11-20', 'tushare', calendar)
  const kept = await keep()
  expect(await readAnswer(dataDir, kept)).toEqual(calendar)
  await writeFile(join(rawFolder(dataDir), kept.file), 'half of it')
  expect(await readAnswer(dataDir, kept)).toBeNull()
  expect(await keep()).toEqual(kept)
  expect(await readAnswer(dataDir, kept)).toEqual(calendar)
})

it('an answer is kept for its days, and one that is gone is none', async () => {
  const give = (day: string) => keepAnswer(dataDir, 'calendar', day, 'sina', [{ date: day, open: true }])
  const keptSince = async (day: string, daysAgo: number) => {
    const kept = await give(day)
    const written = new Date(Date.now() - daysAgo * 86_400_000)
    await utimes(join(rawFolder(dataDir), kept.file), written, written)
    return kept
  }
  const old = await keptSince('2025-10-01', 401)
  const young = await keptSince('2025-10-02', 399)
  const again = await keptSince('2025-10-03', 401)
  expect(await give('2025-10-03')).toEqual(again)
  expect(await sweepAnswers(dataDir, 400)).toBe(1)
  expect(await readAnswer(dataDir, old)).toBeNull()
  expect(await readAnswer(dataDir, young)).not.toBeNull()
  expect(await readAnswer(dataDir, again)).not.toBeNull()
  expect(await sweepAnswers(join(dataDir, 'nowhere'), 400)).toBe(0)
})

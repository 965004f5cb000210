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
  const at = Date.parse('2026-11-20T00:00:00Z')
  const keptOn = async (day: string, written: string) => {
    const kept = await keepAnswer(dataDir, 'calendar', day, 'sina', [{ date: day, open: true }])
    await utimes(join(rawFolder(dataDir), kept.file), new Date(written), new Date(written))
    return kept
  }
  const [old, young] = [await keptOn('2025-10-01', '2025-10-01'), await keptOn('2025-10-02', '2026-11-01')]
  expect(await sweepAnswers(dataDir, 400, at)).toBe(1)
  expect(await readAnswer(dataDir, old)).toBeNull()
  expect(await readAnswer(dataDir, young)).not.toBeNull()
  expect(await sweepAnswers(join(dataDir, 'nowhere'), 400, at)).toBe(0)
})

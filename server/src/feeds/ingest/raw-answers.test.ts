import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { keepAnswer, rawFolder, readAnswer } from './raw-answers.ts'

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

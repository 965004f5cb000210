import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimDataDir } from './data-dir.ts'

let place: string

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'convexa-claim-'))
})
afterEach(() => rmSync(place, { recursive: true, force: true }))

test('a missing folder is made and marked, and is ours the next time', () => {
  const folder = join(place, 'a', 'b')
  claimDataDir(folder)
  expect(readdirSync(folder)).toEqual(['convexa.json'])
  writeFileSync(join(folder, 'anything'), '')
  expect(() => claimDataDir(folder)).not.toThrow()
})

test('a fresh volume is empty enough', () => {
  mkdirSync(join(place, 'lost+found'))
  expect(() => claimDataDir(place)).not.toThrow()
})

test("somebody else's folder is refused and stays as it is", () => {
  writeFileSync(join(place, 'thesis.docx'), '')
  expect(() => claimDataDir(place)).toThrow(/里已有别的内容（如 thesis.docx）/)
  expect(readdirSync(place)).toEqual(['thesis.docx'])
})

test.each([
  ['{"product":"other"}', /不是凸度量化的/],
  ['not json', /不是凸度量化的/],
  ['{"product":"convexa","format":99}', /由更新的版本建立/],
])('a marker that says %s', (text, sentence) => {
  writeFileSync(join(place, 'convexa.json'), text)
  expect(() => claimDataDir(place)).toThrow(sentence)
})

test('a file, a place below a file, a place where nothing can be made', () => {
  const file = join(place, 'file')
  writeFileSync(file, '')
  expect(() => claimDataDir(file)).toThrow(/不是目录/)
  expect(() => claimDataDir(join(file, 'below'))).toThrow(/不是目录/)
  if (existsSync('/proc/self')) expect(() => claimDataDir('/proc/convexa')).toThrow(/无法写入/)
})

test('a folder that we may not write (not tried as root, who may write anything)', ({ skip }) => {
  if (process.getuid?.() === 0) skip('root may write anything')
  chmodSync(place, 0o500)
  expect(() => claimDataDir(place)).toThrow(/无法写入（EACCES）/)
  chmodSync(place, 0o700)
})

/** Claims the folders in turn, each at the same moment as the others do, and goes on as a process would: with folders of its own. */
const claimer = `
const { workerData, parentPort } = require('node:worker_threads')
const { mkdirSync } = require('node:fs')
const { place, own, all, rounds, gate } = workerData
import(${JSON.stringify(new URL('./data-dir.ts', import.meta.url).href)}).then(({ claimDataDir }) => {
  const refused = []
  for (let round = 0; round < rounds; round++) {
    Atomics.add(gate, round, 1)
    while (Atomics.load(gate, round) < all);
    try {
      claimDataDir(place + '/' + round)
      mkdirSync(place + '/' + round + '/' + own)
    } catch (error) {
      refused.push(error.message)
    }
  }
  parentPort.postMessage(refused)
})`

test('two that start at the same moment on an empty folder are both let in', async () => {
  const [all, rounds] = [2, 200]
  const gate = new Int32Array(new SharedArrayBuffer(4 * rounds))
  const refused = await Promise.all(
    Array.from(
      { length: all },
      (_, own) =>
        new Promise((resolve, reject) => {
          const worker = new Worker(claimer, { eval: true, workerData: { place, own: `own${own}`, all, rounds, gate } })
          worker.once('message', resolve)
          worker.once('error', reject)
        }),
    ),
  )
  expect(refused).toEqual([[], []])
})

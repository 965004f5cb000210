import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from '../../test/fixtures/processes.ts'
import { supervise } from './supervise.ts'

test('a child that cannot be started, as while its program is replaced, is started again later', async () => {
  const folder = mkdtempSync(join(tmpdir(), 's3-supervise-'))
  const program = join(folder, 'child.mjs')
  const lives = join(folder, 'lives')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(lives)}, ''); setInterval(() => {}, 1_000)`,
  )
  const told: string[] = []
  const { execPath } = process
  process.execPath = join(folder, 'no such program')
  const about = { name: '计算进程', program, args: [], env: process.env, onHopeless: () => told.push('hopeless') }
  const supervised = supervise({ ...about, onEvent: (sentence) => told.push(sentence) })
  try {
    await until(async () => told.length > 0, 'it has been tried')
    process.execPath = execPath
    await until(async () => existsSync(lives), 'the child lives')
    expect(told[0]).toBe('计算进程无法启动（ENOENT），0.2 秒后重新启动')
  } finally {
    process.execPath = execPath
    await supervised.stop(5)
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a system that refuses at once, as without memory, is asked again', async () => {
  const told: string[] = []
  // Longer than an argument may be.
  const about = { name: '计算进程', program: 'none.mjs', args: ['x'.repeat(2 ** 20)], env: process.env, onHopeless: () => {} }
  const supervised = supervise({ ...about, onEvent: (sentence) => told.push(sentence) })
  await until(async () => told.length > 1, 'it has been tried twice')
  await supervised.stop(5)
  expect(told[0]).toBe('计算进程无法启动（E2BIG），0.2 秒后重新启动')
})

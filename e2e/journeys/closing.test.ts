// A script that starts processes (`npm run screenshots`, `states`, `bench:web`) leaves none behind: done, failed, or interrupted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { within } from '../src/closing.ts'

const closing = fileURLToPath(new URL('../src/closing.ts', import.meta.url))
/** Source of a script that starts a process without an end of its own, prints its pid, and continues with `then`. */
const script = (then: string) => `
  import { spawn } from 'node:child_process'
  import { endLater, runToEnd } from ${JSON.stringify(closing)}
  const start = () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    endLater(() => { child.kill(); return new Promise((resolve) => child.once('exit', resolve)) })
    console.log(child.pid)
  }
  await runToEnd(async () => { start(); ${then} })
`
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.each([
  ['done', 'return 0', null, 0],
  ['done with a fault', 'return 1', null, 1],
  ['failed', "throw new Error('scene')", null, 1],
  ['interrupted', 'await new Promise(() => setInterval(() => {}, 1000))', 'SIGINT', 130],
  ['told to end while it starts more', 'for (;;) { await new Promise((resolve) => setTimeout(resolve, 5)); start() }', 'SIGTERM', 130],
] as const)('%s: nothing is left', async (_, then, signal, status) => {
  const running = spawn(process.execPath, ['--input-type=module', '-e', script(then)], { stdio: ['ignore', 'pipe', 'ignore'] })
  let said = ''
  running.stdout.on('data', (text) => {
    said += text
    if (signal) running.kill(signal)
  })
  const [code] = await once(running, 'close')
  expect(code).toBe(status)
  const started = said.trim().split('\n').map(Number)
  expect(started.length).toBeGreaterThan(0)
  expect(started.filter(isAlive)).toEqual([])
})

it('a step that takes too long is ended, with its name in the error', async () => {
  let ended = false
  const hanging = within(0.01, 'the scene', new Promise(() => {}), async () => {
    ended = true
  })
  await expect(hanging).rejects.toThrow('the scene took longer than 0.01 s')
  expect(ended).toBe(true)
  await expect(within(60, 'the scene', Promise.resolve(7), async () => {})).resolves.toBe(7)
})

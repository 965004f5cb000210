import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endLater } from './closing.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Runs `convexa …` on a data directory, beside a running product or alone. @returns its output @throws with its output, when the exit code is another */
export async function convexa(
  dataDir: string,
  args: readonly string[],
  { input = '', env: own = {}, exit: expected = 0 }: { input?: string; env?: Record<string, string>; exit?: number } = {},
): Promise<string> {
  const env = { ...process.env, NODE_ENV: '', ...own, DATA_DIR: dataDir }
  const child = spawn(process.execPath, ['convexa.mjs', ...args], { cwd: root, env })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')))
  child.stdin.end(input)
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const stop = endLater(() => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    return exited
  })
  const exit = await exited
  await stop()
  if (exit !== expected) throw new Error(`convexa ${args.join(' ')}: ${exit}\n${said}`)
  return said
}

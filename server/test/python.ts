import { spawn, spawnSync } from 'node:child_process'

/** A Python 3 is there: the client's tests need one, the product does not. */
export const hasPython = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 6))']).status === 0

/** Runs Python to its end without holding up this process: it may be the site that the client asks. `own`: environment besides ours. */
export async function python(
  args: readonly string[],
  own: Readonly<Record<string, string>> = {},
): Promise<{ status: number | null; said: string }> {
  const child = spawn('python3', ['-W', 'ignore', ...args], {
    env: { ...process.env, PYTHONIOENCODING: 'utf-8', PYTHONDONTWRITEBYTECODE: '1', ...own },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString('utf8')))
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { status, said }
}

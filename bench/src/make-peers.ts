/** `npm run bench:peers`: the peers' virtual environment, bench/peers/.venv, with what bench/peers/requirements.txt pins. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const peers = fileURLToPath(new URL('../peers/', import.meta.url))
const oldest = 'import sys; sys.exit(sys.version_info < (3, 12))'
const candidates = [process.env.PYTHON, 'python3', 'python3.13', 'python3.12'].filter((name) => name !== undefined)
const python = candidates.find((name) => spawnSync(name, ['-c', oldest]).status === 0)
if (python === undefined) {
  console.error(`None of ${candidates.join(', ')} is a Python of 3.12 or later: set PYTHON to one. Without it the benchmark has no peers.`)
  process.exit(1)
}
run(python, '-m', 'venv', `${peers}.venv`)
run(`${peers}.venv/bin/python`, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', `${peers}requirements.txt`)

function run(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

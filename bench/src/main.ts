/**
 * `npm run bench`: the reference backtests, timed. Each case runs in a process of its own, one after the other; what is
 * compared is ratios taken in one run, never milliseconds of another day. One table is printed and written to bench/RESULTS.md.
 */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { caseNames, readCase } from './cases.ts'
import type { Figures } from './measure.ts'
import { type Input, inputFiles, shared, sharedIsThere, snapshots } from './store.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const exec = promisify(execFile)

if (!sharedIsThere) {
  console.log(`The reference cases and their data are not in ${shared}: there is nothing to measure.`)
  process.exit(0)
}

const inputs = await snapshots()
const rows: Figures[] = []
for (const name of caseNames()) {
  const input: Input = inputs[readCase(name).kind]
  const { stdout } = await exec(process.execPath, [here('./measure.ts'), name, input.snapshot])
  rows.push(JSON.parse(stdout))
}
const pandas = await pandasPeer()
const text = page(rows)
console.log(text)
await writeFile(here('../RESULTS.md'), text)

interface Peer {
  readonly ms: number
  /** Index-weighted sum of its net values: the same job, or no comparison. */
  readonly sum: number
}

/** The same jobs in pandas, by case; why not when Python or a package is missing. */
async function pandasPeer(): Promise<{ times: Record<string, Peer> | null; why: string }> {
  const python = here('../peers/.venv/bin/python')
  if (!existsSync(python)) return { times: null, why: 'no bench/peers/.venv with bench/peers/requirements.txt' }
  const times: Record<string, Peer> = {}
  try {
    for (const name of caseNames()) {
      const args = [
        here('../peers/pandas_rotation.py'),
        `${shared}/${inputFiles[readCase(name).kind]}`,
        `${shared}/reference/${name}.json`,
        '3',
      ]
      const { stdout } = await exec(python, args, { timeout: 600_000 })
      const told: { run_ms: number[]; nav_sum: number } = JSON.parse(stdout)
      times[name] = { ms: told.run_ms.sort((one, other) => one - other)[1]!, sum: told.nav_sum }
    }
    return { times, why: '' }
  } catch (error) {
    return { times: null, why: error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error) }
  }
}

function page(figures: readonly Figures[]): string {
  const lines = [
    '# Reference backtests, timed',
    '',
    `${new Date().toISOString().slice(0, 16)}Z · commit ${commit()} · Node ${process.version} · ${cpus()[0]?.model ?? 'unknown'} × ${cpus().length} · ${Math.round(totalmem() / 2 ** 30)} GB · load ${loadavg()[0]?.toFixed(1)}`,
    '',
    '| case | days × securities | load | cold | warm | with report | ranks cached | pandas | warm is | ‖nav − reference‖ | checksum |',
    '|---|---|---|---|---|---|---|---|---|---|---|',
    ...figures.map((row) => {
      const peer = pandas.times?.[row.case]
      return `| ${[
        row.case,
        `${row.days} × ${row.securities}`,
        ms(row.loadMs),
        ms(row.coldMs),
        `${ms(row.warmMs)} (${ms(row.bestMs)})`,
        `${ms(row.reportMs)} (${ms(row.reportBestMs)})`,
        `${ms(row.cachedMs)} (${ms(row.cachedBestMs)})`,
        peer ? ms(peer.ms) : '–',
        peer ? (Math.abs(peer.sum / row.checksum - 1) < 1e-9 ? `${Math.round(peer.ms / row.warmMs)}×` : 'another result') : '–',
        row.worst.toExponential(1),
        row.checksum.toFixed(6),
      ].join(' | ')} |`
    }),
    '',
    `Milliseconds. load: the columns from disk, checksums verified. cold: the first run of a process. warm: median (best) of ${figures[0]?.repetitions ?? 0} runs on changed input, from the request to the ledger; so are the next two. with report: the whole \`backtest()\`, metrics, reasons and all day pages. ranks cached: the simulation alone.`,
    pandas.times ? '' : `pandas: ${pandas.why}.`,
    '',
    ...Object.entries(inputs).map(([kind, { sha256 }]) => `Input ${kind}: sha256 ${sha256}`),
    '',
  ]
  return lines.join('\n')
}

function ms(value: number): string {
  return value < 10 ? value.toFixed(2) : value.toFixed(0)
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: here('..'), encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', '../engine') === '' ? '' : ' with changes')
  } catch {
    return 'unknown'
  }
}

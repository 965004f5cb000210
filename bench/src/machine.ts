import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'

/** When, what and on what: the line that a figure is worth nothing without. */
export function machine(): string {
  const [cpu] = cpus()
  return [
    `${new Date().toISOString().slice(0, 16)}Z`,
    `commit ${commit()}`,
    `Node ${process.version}`,
    `${cpu?.model ?? 'unknown'} × ${cpus().length}`,
    `${Math.round(totalmem() / 2 ** 30)} GB`,
    `load ${load()}`,
  ].join(' · ')
}

/** Load average of the last minute: above the number of cores, times mean little and only ratios count. */
export const load = (): string => (loadavg()[0] ?? 0).toFixed(1)

function commit(): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--', 'engine', 'server') === '' ? '' : ' with changes')
  } catch {
    return 'unknown'
  }
}

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { load } from '../machine.ts'
import type { Section } from '../section.ts'
import { short } from '../times.ts'
import { kernels as formulas } from './formulas.ts'
import { days, type Figures, securities } from './ours.ts'

const exec = promisify(execFile)

/** ns a cell of each kernel of the language, and how many times the copy limit of the same process that is. */
export async function kernels(): Promise<Section[]> {
  const rows: string[][] = []
  const ours = fileURLToPath(new URL('./ours.ts', import.meta.url))
  for (const [name, { formula, prototype }] of Object.entries(formulas)) {
    const { stdout } = await exec(process.execPath, [ours, name])
    const { cells, limit, cold, warm, cpu }: Figures = JSON.parse(stdout)
    const each = (ms: number) => short((ms * 1e6) / cells)
    const range = `${each(cpu.median)} (${each(cpu.best)}–${each(cpu.worst)})`
    rows.push([
      name,
      `\`${formula}\``,
      each(cold),
      range,
      each(warm.best),
      short((cpu.best * 1e6) / cells / limit),
      short(limit),
      prototype,
    ])
  }
  return [
    {
      title: 'Kernels',
      about: `ns a cell on ${securities} × ${days} random doubles, 1 % absent, one process for each, load ${load()}: the whole \`evaluate\`, its result's fresh memory included. Processor time, so that others on the machine count little; by the clock the best run. cold: the first call of the process. warm: median (best–worst) of 7 on changed input. × limit is the best run against the copy limit of that process (a Float64 panel copied). prototype: the figure of the trial before this engine.`,
      columns: ['kernel', 'formula', 'cold', 'warm', 'best by the clock', '× limit', 'copy limit', 'prototype'],
      rows,
      notes: [],
      goals: [],
    },
  ]
}

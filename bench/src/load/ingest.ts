import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { load } from '../machine.ts'
import type { Section } from '../section.ts'
import { at, short } from '../times.ts'

const goal = 5_000
const program = fileURLToPath(new URL('../../../server/test/bench/bench-ingest.ts', import.meta.url))

interface Told {
  readonly measured: readonly { readonly rows: string; readonly ms: number; readonly cpu: number }[]
  readonly resident: number
}

/** Days of a whole market from the sources' answers to the published row, in a process of its own. */
export async function ingest(): Promise<Section[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--json'], { maxBuffer: 2 ** 20 })
  const { measured, resident }: Told = JSON.parse(stdout)
  return [sectionOf({ measured, resident }, load())]
}

/** @param during load while it was measured */
export function sectionOf({ measured, resident }: Told, during: string): Section {
  const by = (what: 'ms' | 'cpu') => measured.map((day) => day[what]).sort((a, b) => a - b)
  const [clock, cpu] = [by('ms'), by('cpu')]
  const median = at(clock, 0.5)
  const figures = [median, clock[0]!, clock.at(-1)!, at(cpu, 0.5), cpu.at(-1)!].map(short)
  return {
    title: 'Ingesting a day',
    about: `Milliseconds, ${measured.length} days one after the other behind a made-up market of three years, load ${during}: answers kept on the disk, every row judged, the day made and put behind the snapshot of stocks, then that of bonds (\`npm run bench:ingest\`). The sources answer at once; their own time is not in it. The first day reads what the others find in memory.`,
    columns: ['rows of the last day', 'median', 'best', 'worst', 'cpu median', 'cpu worst', 'resident MB'],
    rows: [[measured.at(-1)!.rows, ...figures, String(resident)]],
    notes: ['Resident memory is that of the whole process, with the model that the answers are made of.'],
    goals: [
      {
        job: 'ingest one day, 5,500 stocks and 480 bonds',
        goal: `≤ ${goal} ms`,
        measured: `${short(median)} ms (cpu ${short(at(cpu, 0.5))})`,
        met: median <= goal,
      },
    ],
  }
}

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFigures } from '../fixtures/figures.ts'
import { readDrillOptions } from './drill-options.ts'
import { type Death, drillWords, payDrill, shuffled } from './pay-drill.ts'
import { drillSite } from './pay-drill-site.ts'

// `npm run chaos:pay -- --kills 1000 --postgres 40`: orders and payments while an api, a worker and PostgreSQL are killed (G1, G2), restarted
// (G11), told to end (G22) or without space (G13). Each part stands alone, so one that was broken off is simply run again:
// `-- --kills 0 --postgres 0 --restarts 0 --disk 0` leaves the SIGTERMs. Prints figures beside their goals.

const { kills, postgres, restarts, terms, disk, seed } = readDrillOptions({
  kills: { whole: 1_000, quick: 60 },
  postgres: { whole: 40, quick: 3 },
  restarts: { whole: 50, quick: 2 },
  terms: { whole: 100, quick: 6 },
  disk: { whole: 3, quick: 1 },
  seed: { whole: 1, quick: 1 },
})
const figures = openFigures()

const half = (count: number) => Math.floor(count / 2)
const parts: [string, Partial<Record<Death, number>>][] = [
  ['kill -9 of api, worker, PostgreSQL', { api: half(kills), worker: kills - half(kills), postgres }],
  ['restarts of PostgreSQL', { 'postgres restarted': restarts }],
  ['SIGTERM of api and worker', { 'api told': half(terms), 'worker told': terms - half(terms) }],
]
for (const [name, counts] of parts) await part(name, counts)
if (disk > 0) await onSmallDisk((dataDir) => part('no space for PostgreSQL', { 'disk full': disk }, dataDir))
process.exit(figures.end())

async function part(name: string, counts: Partial<Record<Death, number>>, dataDir?: string): Promise<void> {
  const deaths = shuffled(counts, seed)
  if (deaths.length === 0) return
  const site = await drillSite(dataDir)
  try {
    const say = (line: string) => void process.stderr.write(`${line}\n`)
    const seen = await payDrill({ ...site, deaths, seed, say })
    console.log(`\n${name}\n${drillWords(seen)}`)
    figures.none(`${name}: acknowledged writes and money that were lost`, seen.lost)
    figures.none(`${name}: answers that no client may get`, seen.wrong)
    figures.none(`${name}: users with wrong days`, seen.wrongDays)
    figures.goal(`${name}: payments`, String(seen.paid), 'some', seen.paid > 0)
  } finally {
    await site.close()
  }
}

/** A file system in memory of a size that is soon full; only Linux and root can make one. */
async function onSmallDisk(use: (dataDir: string) => Promise<void>): Promise<void> {
  const disk = mkdtempSync(join(tmpdir(), 'convexa-disk-'))
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=320m', 'none', disk])
  if (mounted.status !== 0) console.log('no space for PostgreSQL: not tried, only root can make a small disk')
  else {
    chmodSync(disk, 0o755)
    try {
      await use(mkdtempSync(join(disk, 'data-')))
    } finally {
      spawnSync('umount', ['-l', disk])
    }
  }
  rmSync(disk, { recursive: true, force: true })
}

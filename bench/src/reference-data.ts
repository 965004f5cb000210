import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { MarketId } from '@convexa/contract'
import { connect } from '@convexa/server/db/connect'
import { openEmbedded } from '@convexa/server/db/embedded'
import { migrate } from '@convexa/server/db/migrate'
import { importMarket } from '@convexa/server/market/import'
import { importer } from '@convexa/server/market/manifest'
import { snapshotPath } from '@convexa/server/market/snapshot'

/** The folder beside the repository with the real data and the reference cases; not part of the project. */
export const shared = fileURLToPath(new URL('../../../shared', import.meta.url))
export const sharedIsThere = existsSync(`${shared}/reference/README.md`)

const folder = fileURLToPath(new URL('../.store', import.meta.url))
/** What the cases are run on. */
export const inputFiles: Readonly<Record<MarketId, string>> = {
  cb: 'data/cb_daily_2017_2023/cb_daily.parquet',
  stk: 'data/a_share_qfq_2017_2023/all_market_2022_2023.parquet',
}

export interface Input {
  readonly snapshot: string
  /** Of the file that was imported. */
  readonly sha256: string
  /** The importer's number. What an older one decided may be worked out anew with every load, which is no cost of a market of now. */
  readonly importer?: number
}

/** The snapshots of the reference files, imported once and kept in bench/.store. */
export async function snapshots(): Promise<Record<MarketId, Input>> {
  const hashes = { cb: await sha256(inputFiles.cb), stk: await sha256(inputFiles.stk) }
  const note = `${folder}/snapshots.json`
  if (existsSync(note)) {
    const known: Record<MarketId, Input> = JSON.parse(await readFile(note, 'utf8'))
    const same = (kind: MarketId) =>
      known[kind].sha256 === hashes[kind] && known[kind].importer === importer && existsSync(known[kind].snapshot)
    if (same('cb') && same('stk')) return known
  }
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const postgres = await openEmbedded(folder, 'command')
  const { db, close } = connect(postgres.connectionString, { name: 'convexa-bench', statementTimeoutMs: 600_000 })
  try {
    await migrate(db)
    const made: Partial<Record<MarketId, Input>> = {}
    for (const kind of ['cb', 'stk'] as const) {
      process.stderr.write(`importing ${inputFiles[kind]} …\n`)
      const report = await importMarket({ kind, paths: [`${shared}/${inputFiles[kind]}`], dataDir: folder, db })
      if (!report.ok) throw new Error(report.text)
      made[kind] = { snapshot: snapshotPath(folder, report.snapshot), sha256: hashes[kind], importer }
    }
    await writeFile(note, JSON.stringify(made, null, 2))
    return made as Record<MarketId, Input>
  } finally {
    await close()
    await postgres.close()
  }
}

async function sha256(path: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(`${shared}/${path}`))
    .digest('hex')
}

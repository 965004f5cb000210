/**
 * `npm run drill:upgrade [-- --quick --seconds 60 --users 12 --seed 1]`: a site of the newest release (RELEASES.json; without one: of this
 * program) is upgraded to this program (without a release: to the made-up one of server/test/fixtures/next-release/) under load, old and new
 * beside each other; then the old program is refused by the contract migration; then this program starts on a folder of commit 05a66277.
 * Prints each figure beside its goal; status 0 only if all hold.
 */
import { readFileSync } from 'node:fs'
import { compareVersions } from '../../../src/base/program-version.ts'
import { connect } from '../../../src/db/connect.ts'
import { openFigures } from '../../fixtures/figures.ts'
import { addContract, makeNextRelease, nextVersion } from '../../fixtures/next-release/next-release.ts'
import { ownPostgres } from '../../fixtures/postgres.ts'
import { readDrillOptions } from '../drill-options.ts'
import { drillOlderSite } from './older-site.ts'
import { hasCommit, programTree } from './program-tree.ts'
import { drillUpgrade } from './upgrade.ts'

const olderCommit = '05a66277597e4cb53d548eb6aa3e3d3f5405c2c0'
const { seconds, users, seed } = readDrillOptions({
  seconds: { whole: 60, quick: 12 },
  users: { whole: 12, quick: 6 },
  seed: { whole: 1, quick: 1 },
})
const progress = (line: string) => void process.stderr.write(`${line}\n`)
const releases = JSON.parse(readFileSync(new URL('../../../../RELEASES.json', import.meta.url), 'utf8')) as Record<
  string,
  { commit: string }
>
const newest = Object.keys(releases).sort(compareVersions).at(-1)

const figures = openFigures()
const old = programTree(newest === undefined ? null : releases[newest]!.commit)
const next = programTree(null)
const made = newest === undefined ? { ...next, version: nextVersion(old.version) } : next
const postgres = await ownPostgres('upgrade', ['-c', 'max_connections=200'])
const { db, close } = connect(postgres.url(), { max: 8, onError: () => {} })
try {
  if (made !== next) makeNextRelease(next.folder, made.version)
  const contract = made === next ? null : () => addContract(next.folder, made.version)
  await drillUpgrade({ ...{ db, databaseUrl: postgres.url(), old, next: made, seconds, users, seed, contract, progress } }, figures)
} finally {
  await close()
  await postgres.stop()
  for (const tree of [old, next]) tree.remove()
}
if (hasCommit(olderCommit)) {
  const [older, own] = [programTree(olderCommit), programTree(null)]
  try {
    await drillOlderSite(older, own, figures, progress)
  } finally {
    for (const tree of [older, own]) tree.remove()
  }
} else figures.fact('older folder', '未运行：仓库没有提交 05a66277 的历史')
process.exit(figures.end())

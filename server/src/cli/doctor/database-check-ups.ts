import { type Kysely, sql } from 'kysely'
import { StartError } from '../../base/start-error.ts'
import type { Config } from '../../config/config.ts'
import { schemaProblem, schemaState } from '../../db/schema-version.ts'
import { requireSessions } from '../../db/session-probe.ts'
import type { Database } from '../../db/tables.ts'
import { requireSecret } from '../../user/secret-check.ts'
import { type CheckUp, type Finding, fault, note, ok, unless } from './finding.ts'
import type { Site } from './site.ts'

const oldestServer = 150_000
const mostSkewMs = 2_000

interface Opened {
  readonly db: Kysely<Database>
  readonly url: string
  readonly config: Config
}

/** A check that needs the database. Where it cannot be reached one check says why, and the others that they could not look. */
export const ofDatabase = (name: string, look: (opened: Opened) => Promise<readonly Finding[]>, isFirst = false): CheckUp => ({
  name,
  look: async ({ reading, database }: Site) => {
    if (database.is !== 'reached') {
      if (database.is === 'none') return [ok(isFirst ? database.why : '还没有数据库，没有检查')]
      return [isFirst && reading.ok ? fault(database.why) : note('没有检查（数据库没有打开）')]
    }
    if (!reading.ok) return [note('没有检查（设置有误）')]
    return look({ db: database.db, url: database.url, config: reading.config })
  },
})

/** The database as a server, and whether its tables are ours. */
export const databaseCheckUps: readonly CheckUp[] = [
  ofDatabase(
    '数据库',
    async ({ db }) => {
      const { rows } = await sql<{ version: string; number: number; fsync: string; pages: string; commit: string; encoding: string }>`
        select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
          current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
          current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding`.execute(db)
      const { version, number, fsync, pages, commit, encoding } = rows[0]!
      return unless(
        [
          number < oldestServer && fault(`PostgreSQL ${version} 太旧`, '需要 15 或更新的版本'),
          fsync === 'off' && fault('fsync 关闭：断电会损坏数据库', '请在 postgresql.conf 中设 fsync = on'),
          pages === 'off' && fault('full_page_writes 关闭：断电会损坏数据库', '请在 postgresql.conf 中设 full_page_writes = on'),
          commit === 'off' && fault('synchronous_commit 关闭：断电会丢失已确认的写入', '请设 synchronous_commit = on'),
          encoding !== 'UTF8' && note(`编码是 ${encoding}`, '建议使用 UTF8'),
        ],
        `PostgreSQL ${version}，fsync、full_page_writes 打开，synchronous_commit 为 ${commit}`,
      )
    },
    true,
  ),
  ofDatabase('数据库会话', async ({ url, config }) => {
    if (config.databaseUrl === null) return [ok('内置数据库，直接连接')]
    return saidBy(() => requireSessions(url), '直连地址保持会话')
  }),
  ofDatabase('数据库升级', async ({ db, config }) => {
    const state = await schemaState(db)
    const problem = schemaProblem(state)
    if (problem !== null) {
      const isOwn = config.databaseUrl === null && state.pending.length > 0
      return [isOwn ? note(`还有 ${state.pending.length} 项升级`, '内置数据库在下次启动时自动升级') : fault(problem)]
    }
    return unless([state.newer.length > 0 && note(`数据库由更新的程序升级过（${state.newer.at(-1)}）`, '请升级本程序')], '已是本程序的版本')
  }),
  ofDatabase('密钥', async ({ db, config }) => {
    if (schemaProblem(await schemaState(db)) !== null) return [note('没有检查（数据库还没有升级）')]
    return saidBy(() => requireSecret({ db, config }), '与数据库登记的一致；请与备份分开保管')
  }),
  ofDatabase('时钟', async ({ db }) => {
    const before = Date.now()
    const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
    const between = (before + Date.now()) / 2
    const skew = between - rows[0]!.now.getTime()
    const seconds = (Math.abs(skew) / 1_000).toFixed(1)
    if (Math.abs(skew) <= mostSkewMs) return [ok(`与数据库相差 ${seconds} 秒`)]
    return [fault(`比数据库${skew > 0 ? '快' : '慢'} ${seconds} 秒`, '请在两台机器上启用时间同步（chrony 或 systemd-timesyncd）')]
  }),
]

/** A failure that has a sentence is the finding. */
async function saidBy(require: () => Promise<void>, fine: string): Promise<readonly Finding[]> {
  try {
    await require()
    return [ok(fine)]
  } catch (error) {
    if (error instanceof StartError) return [fault(error.message)]
    throw error
  }
}

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { openEmbedded } from '../db/embedded.ts'
import { copySite } from '../system/copy-site.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer, print } from './output.ts'

/** `convexa database copy --to URL`. */
export async function copyDatabase({ to }: { to: string }): Promise<void> {
  await withCommandContext('database', async ({ db, connectionString, config }) => {
    const copied = await copySite({ db, connectionString }, to, config, ({ table, rows }) => {
      if (rows > 0) console.error(`已复制 ${table}：${rows} 行`)
    })
    if (copied.warning) console.error(copied.warning)
    const rows = copied.tables.reduce((sum, table) => sum + table.rows, 0)
    print(`已复制 ${copied.tables.length} 张表、${rows} 行，逐表核对一致；${copied.messages} 条未发出的消息将在新站点发出`)
    print('行情与上传的文件仍在数据目录，请保留它。请把新站点的设置改为：')
    print('  DATABASE_URL=（--to 给出的地址，或它前面的连接池）')
    print(`  SECRET_KEY=（原站点的密钥${config.databaseUrl === null ? '，在数据目录的 secret.key 中' : ''}）`)
  })
}

/** `convexa database serve DIR`: until Ctrl-C. */
export async function serveDatabase(folder: string): Promise<void> {
  const dataDir = resolve(folder)
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) throw new Stop(exits.refused, `${dataDir} 不是带有内置数据库的数据目录`)
  const stopped = new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => done())
  })
  const embedded = await openEmbedded(dataDir, 'command', (sentence) => console.error(sentence))
  try {
    answer({ address: embedded.connectionString }, () => embedded.connectionString)
    console.error('数据库已启动，地址如上；按 Ctrl-C 停止')
    await stopped
  } finally {
    await embedded.close()
  }
}

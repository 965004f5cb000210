import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { backUp, usualPace } from '../backup/backup-site.ts'
import type { BackupPlace } from '../backup/pieces.ts'
import { secretFileOf } from '../base/secret.ts'
import { shanghaiTime } from '../base/time.ts'
import { type Config, readConfig, type StoreSettings } from '../config/config.ts'
import { readStoreUrl } from '../config/store-url.ts'
import { clusterOf } from '../db/postgres.ts'
import { openStore } from '../store/open-store.ts'
import { restoreSite } from '../system/restore-site.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { print } from './output.ts'
import { megabytes } from './text.ts'

const keyReminder = '请另行保管 SECRET_KEY（或数据目录的 secret.key）：没有它，备份与其中加密的内容都无法打开'

/** `convexa backup`. */
export async function backup({ fast }: { fast?: boolean }): Promise<void> {
  await withCommandContext('database', async ({ db, config, connectionString }) => {
    if (config.backup === null) throw new Stop(exits.usage, '没有设置 BACKUP_URL：它是备份的存放处，写法同 STORE_URL')
    if (config.databaseUrl !== null)
      throw new Stop(exits.refused, '自己的 PostgreSQL 由它自己的工具备份（pgBackRest、WAL-G、pg_dump）；本命令只备份内置数据库')
    const objects = await openStore(config.backup)
    try {
      const began = performance.now()
      const deps = { objects, secrets: config, config, db, connectionString, folder: clusterOf(config.dataDir).folder }
      const info = await backUp(deps, fast ? null : usualPace)
      const sealed = info.pieces.reduce((sum, { bytes }) => sum + bytes, 0)
      print(
        `备份 ${info.name}（UTC）已完成：数据库 ${megabytes(info.bytes)}，压缩加密后 ${megabytes(sealed)}；用时 ${duration(performance.now() - began)}`,
      )
      print(keyReminder)
    } finally {
      objects.close()
    }
  })
}

interface RestoreOptions {
  readonly toTime?: Date
  readonly into?: string
  readonly base?: string
  readonly timeline?: number
  readonly skipDamaged?: boolean
  readonly rehearse?: boolean
}

/** `convexa restore FROM`. */
export async function restore(from: string, given: RestoreOptions): Promise<void> {
  const reading = readConfig({ ...process.env, BACKUP_URL: from })
  const read = readStoreUrl(from)
  if ('problem' in read) throw new Stop(exits.usage, `用法有误：备份的地址${read.problem}`)
  if (!reading.ok) throw new Stop(exits.usage, reading.problems.join('；'))
  const { config } = reading
  requireKey(config)
  const place = await openPlace(config, config.backup!)
  const isRehearsal = given.rehearse === true
  const into = isRehearsal ? join(config.dataDir, 'rehearsal') : resolve(given.into ?? config.dataDir)
  if (isRehearsal) await rm(into, { recursive: true, force: true })
  const began = performance.now()
  try {
    const done = await restoreSite(place, config, {
      into,
      toTime: given.toTime ?? null,
      base: given.base ?? null,
      timeline: given.timeline ?? null,
      skipDamaged: given.skipDamaged === true,
      isRehearsal,
      say: (sentence) => console.error(sentence),
    })
    for (const { table, before, now } of done.rows) print(`  ${table}：备份时 ${before} 行，恢复后 ${now} 行`)
    print(`文件 ${done.files} 个，${megabytes(done.bytes)}；未完成的回测 ${done.endedRuns} 个已标为“已中断”并退回次数`)
    if (done.erased > 0) print(`再次删除了 ${done.erased} 个已注销的用户`)
    for (const warning of done.warnings) print(`注意：${warning}`)
    if (!isRehearsal) print(`数据目录：${into}`)
    print(keyReminder)
    print(`${isRehearsal ? '演练：' : ''}${pointOf(done.lastWrite, given.toTime)}；用时 ${duration(performance.now() - began)}`)
    if (isRehearsal && done.warnings.length > 0) throw new Stop(exits.failed)
  } finally {
    if (isRehearsal) await rm(into, { recursive: true, force: true })
    place.objects.close()
  }
}

async function openPlace(config: Config, from: StoreSettings): Promise<BackupPlace> {
  return { objects: await openStore(from), secrets: config }
}

/** A new one would open nothing. */
function requireKey({ secretKey, dataDir }: Config): void {
  if (secretKey === null && !existsSync(secretFileOf(dataDir)))
    throw new Stop(
      exits.usage,
      `没有密钥：请把 SECRET_KEY 或 SECRET_KEY_FILE 设为备份时的密钥，或把保管的 secret.key 放到 ${secretFileOf(dataDir)}`,
    )
}

function pointOf(lastWrite: Date | null, toTime: Date | undefined): string {
  if (lastWrite === null) return '已恢复到备份完成的时刻，其后没有写入'
  const at = `已恢复到 ${shanghaiTime(lastWrite).slice(0, 19).replace('T', ' ')}（最后一笔写入）`
  return toTime ? at : `${at}，距现在 ${duration(Date.now() - lastWrite.getTime())}`
}

function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} 秒`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} 分 ${seconds % 60} 秒`
  return `${Math.floor(seconds / 3_600)} 小时 ${Math.floor((seconds % 3_600) / 60)} 分`
}

import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { backupSentences, readBackupState } from '../../backup/backup-state.ts'
import { isReady, lives } from '../../db/process-registry.ts'
import { notReadyTexts } from '../../http/not-ready.ts'
import { daysBehind } from '../../market/calendar.ts'
import { readCalendar } from '../../market/calendar-years.ts'
import { damagedInUse } from '../../market/damage.ts'
import { snapshotKinds, snapshotLabels } from '../../market/manifest.ts'
import { newestSnapshot } from '../../market/snapshot.ts'
import { StoreError, troubleLabels } from '../../store/object-store.ts'
import { openStore } from '../../store/open-store.ts'
import { probeStore } from '../../store/probe.ts'
import { ofDatabase } from './database-check-ups.ts'
import { type CheckUp, type Finding, fault, note, ok, unless } from './finding.ts'

/** Bytes outside of the database. */
export const storeCheckUp: CheckUp = {
  name: '对象存储',
  look: async ({ reading }) => {
    if (!reading.ok) return [note('没有检查（设置有误）')]
    const { store } = reading.config
    if (store === null) return [ok('没有设置 STORE_URL，使用数据目录')]
    try {
      const objects = await openStore(store)
      try {
        await probeStore(objects)
      } finally {
        objects.close()
      }
      return [ok('写入、读回、删除都符合要求')]
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      return [fault(`无法使用（${troubleLabels[error.kind]}）`, '请检查 STORE_URL 与访问密钥')]
    }
  },
}

/** Reasons of workers that an api has no words for. */
const workerReasons: Readonly<Record<string, string>> = {
  market_damaged: '行情已损坏',
  market_missing: '本机还没有行情文件',
  store: '对象存储无法使用',
  child: '计算进程正在启动',
}
const wordsFor = (reason: string | null): string => {
  if (reason === null) return '正在启动'
  const known = Object.entries(notReadyTexts).find(([code]) => code === reason)
  return workerReasons[reason] ?? known?.[1]('') ?? reason
}

/** Everything that runs on the database. */
export const siteCheckUps: readonly CheckUp[] = [
  ofDatabase('进程', async ({ db }) => {
    const rows = await db
      .selectFrom('process as p')
      .select(['p.role', 'p.reason', 'p.program', isReady('p').as('ready')])
      .where('p.role', 'in', ['api', 'worker'])
      .where(lives('p'))
      .execute()
    if (rows.length === 0) return [ok('网站没有运行')]
    const off = rows.filter(({ ready }) => !ready).map(({ role, reason }) => note(`一个 ${role} 进程没有就绪：${wordsFor(reason)}`))
    const programs = [...new Set(rows.map(({ program }) => program ?? '更早的版本'))].sort()
    const workers = rows.filter(({ role, ready }) => role === 'worker' && ready).length
    return unless(
      [
        workers === 0 && fault('没有就绪的 worker 进程，筛选与回测无法计算', '请查看 worker 的日志'),
        programs.length > 1 && note(`同时运行着几个版本：${programs.join('、')}`, '升级中如此；否则请把每个进程换成同一版本'),
        ...off,
      ],
      `api ${rows.length - workers} 个、worker ${workers} 个，都已就绪`,
    )
  }),
  ofDatabase('行情', async ({ db }) => {
    await readCalendar(db)
    const damaged = (await damagedInUse(db)).map(({ kind, dataVersion, damage }) =>
      fault(`${snapshotLabels[kind]} ${dataVersion} 已损坏（${damage}）`, `请运行 ./convexa market repair ${kind}`),
    )
    const told = await Promise.all(
      snapshotKinds.map(async (kind): Promise<Finding> => {
        const snapshot = await newestSnapshot(db, kind)
        const label = snapshotLabels[kind]
        if (!snapshot) return note(`${label}：还没有行情`, '用 ./convexa demo 生成演示行情，或用 ./convexa import 导入')
        if (isSynthetic(snapshot.dataMode)) return ok(`${label}到 ${snapshot.lastDate}（演示数据）`)
        const behind = daysBehind(snapshot, new Date())
        if (behind !== null && behind > 1)
          return note(
            `${label}到 ${snapshot.lastDate}，缺少其后的 ${behind} 个交易日`,
            '用 ./convexa feed run 采集，或用 ./convexa update 追加',
          )
        return ok(`${label}到 ${snapshot.lastDate}`)
      }),
    )
    return [...damaged, ...told]
  }),
  ofDatabase('备份', async ({ db, config }) =>
    backupSentences(config, await readBackupState(db), new Date()).map(({ text, isBad }) => (isBad ? note(text) : ok(text))),
  ),
]

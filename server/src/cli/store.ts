import { join } from 'node:path'
import { type Config, readConfig } from '../config/config.ts'
import { readStoreUrl } from '../config/store-url.ts'
import { copyAnswers } from '../feeds/ingest/raw-answers.ts'
import { copyFiles } from '../file/store.ts'
import { copySnapshots } from '../market/copy-snapshots.ts'
import { type Audit, auditStore, deleteUnknown } from '../store/audit-store.ts'
import { copyObjects } from '../store/copy-objects.ts'
import { objectsOf } from '../store/data-objects.ts'
import { openStore } from '../store/open-store.ts'
import { probeStore } from '../store/probe.ts'
import { snapshotStore } from '../store/snapshot-store.ts'
import { readMaintenance } from '../system/maintenance.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { print } from './output.ts'
import { megabytes } from './text.ts'

const faults: Readonly<Record<Audit['struck'][number]['fault'], string>> = {
  missing: '不存在',
  'another length': '长度不符',
  'other bytes': '内容不符',
}
const mostLines = 50

/** `convexa store audit`. @throws Stop 1 where an object that is needed is not there, or not right */
export async function audit(options: { verify?: boolean; delete?: boolean }): Promise<void> {
  await withCommandContext('database', async ({ db, config }) => {
    const place = { db, objects: objectsOf(config.dataDir) }
    print(`核对 ${placeOf(config)}`)
    const found = await auditStore(place, { verify: options.verify === true })
    print(`登记的对象 ${found.objects} 个，${megabytes(found.bytes)}${options.verify ? `；已读出核对 ${found.verified} 个` : ''}`)
    list(
      found.struck.map(({ key, fault, needs }) => `${faults[fault]}：${key}${needs.length > 0 ? `（${needs.join('、')}）` : ''}`),
      (count) => `有问题的对象 ${count} 个，下次发布相同内容时会重新写入：`,
    )
    list(
      found.unknown.map(({ key, bytes }) => `${key}（${megabytes(bytes)}）`),
      (count) => `没有登记的对象 ${count} 个${options.delete ? '' : '，可加 --delete 删除'}：`,
    )
    if (options.delete && found.unknown.length > 0) print(`已删除 ${await deleteUnknown(place, found.unknown)} 个`)
    if (found.struck.length > 0) throw new Stop(exits.failed)
    print(options.verify ? '登记的对象都在，内容无误' : '登记的对象都在，长度无误')
  })
}

/** `convexa store move --to URL`. Copies; it never deletes. @throws Stop 1 where something could not be copied */
export async function move({ to }: { to: string }): Promise<void> {
  const target = readTarget(to)
  await withCommandContext('database', async ({ db, config, signal }) => {
    if (JSON.stringify(target.address) === JSON.stringify(config.store?.address)) throw new Stop(exits.refused, '新旧地址相同')
    const objects = await openStore(target)
    try {
      await probeStore(objects)
      const wasOn = (await readMaintenance(db)).on
      const store = snapshotStore({ db, objects, marketFolder: join(config.cache.folder, 'market') })
      const done = await copyObjects({ db, from: objectsOf(config.dataDir), to: objects }, signal)
      const snapshots = await copySnapshots({ db, dataDir: config.dataDir }, store, signal)
      const files = await copyFiles(store, config.dataDir)
      const answers = await copyAnswers(store, config.dataDir)
      print(`对象：复制 ${done.copied} 个，${megabytes(done.bytes)}；${done.skipped} 个已在新处`)
      print(`本机目录：行情 ${snapshots.copied} 份，上传文件 ${files} 个，数据源答复 ${answers} 份`)
      // What only folders had is in the new store by now.
      const missing: string[] = []
      for (const key of done.missing) if (!(await objects.head(key))) missing.push(key)
      list(missing, (count) => `两处都没有的对象 ${count} 个：`)
      list(snapshots.broken, (count) => `不完整、没有复制的行情 ${count} 份：`)
      if (missing.length + snapshots.broken.length > 0) throw new Stop(exits.failed)
      print(
        wasOn
          ? `全部内容已在新处。请把所有进程的 STORE_URL 设为下面的地址并重启，然后用 ./convexa maintenance off 结束维护`
          : `网站仍在向原处写入。请用 ./convexa maintenance on 开启维护，再运行一次本命令（只复制新增的内容），然后把所有进程的 STORE_URL 设为下面的地址并重启`,
      )
      print(`STORE_URL=${to}`)
    } finally {
      objects.close()
    }
  })
}

/** The keys are those of STORE_ACCESS_KEY_ID and STORE_SECRET_ACCESS_KEY. */
function readTarget(to: string) {
  const read = readStoreUrl(to)
  if ('problem' in read) throw new Stop(exits.usage, `用法有误：--to ${read.problem}`)
  const reading = readConfig({ ...process.env, STORE_URL: to })
  if (!reading.ok || !reading.config.store) throw new Stop(exits.usage, reading.ok ? '' : reading.problems.join('；'))
  return reading.config.store
}

function placeOf({ store, dataDir }: Config): string {
  if (!store) return join(dataDir, 'store')
  const { address } = store
  return address.kind === 'folder' ? address.folder : `s3://${address.bucket}/${address.prefix}`
}

function list(lines: readonly string[], head: (count: number) => string): void {
  if (lines.length === 0) return
  print(head(lines.length))
  for (const line of lines.slice(0, mostLines)) print(`  ${line}`)
  if (lines.length > mostLines) print(`  …其余 ${lines.length - mostLines} 个`)
}

import { isSynthetic } from '@convexa/contract/enums/data-mode'
import { shanghaiTime } from '../base/time.ts'
import { clearDamage, damagedSnapshots, damageOf } from '../market/damage.ts'
import { type SnapshotKind, snapshotKinds, snapshotLabels } from '../market/manifest.ts'
import { indexSnapshotFor, newestSnapshot, type Snapshot, snapshotBenchmarks, snapshotFields, snapshotPath } from '../market/snapshot.ts'
import { type CommandContext, withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer, print } from './output.ts'
import { modeText } from './text.ts'

const levels = { fault: '错误', quarantine: '隔离', warning: '提示' } as const

interface Loaded {
  readonly snapshot: Snapshot
  readonly fields: readonly string[]
  readonly benchmarks: readonly { code: string; name: string }[]
}

/** `convexa market`: what is loaded, from when to when, and what the checks found. */
export async function market(): Promise<void> {
  await withCommandContext('database', async (deps) => {
    const loaded = await Promise.all(snapshotKinds.map(async (kind) => [kind, await find(deps, kind)] as const))
    const parts = loaded.map(([kind, found]) => (found ? described(snapshotLabels[kind], found) : `${snapshotLabels[kind]}：还没有行情`))
    if (loaded.every(([, found]) => !found)) parts.push('用 ./convexa demo 生成演示行情，或用 ./convexa import 导入自己的文件。')
    answer(Object.fromEntries(loaded), () => parts.join('\n\n'))
  })
}

/** `convexa market repair KIND`: marked snapshots whose files are whole are used again. @throws Stop 1 where one is still damaged */
export async function repairMarket(kind: SnapshotKind): Promise<void> {
  await withCommandContext('database', async ({ db, config }) => {
    const marked = await damagedSnapshots(db, kind)
    if (marked.length === 0) return print(`${snapshotLabels[kind]}：没有被标记为损坏的行情`)
    let broken = 0
    for (const snapshot of marked) {
      const damage = await damageOf(snapshotPath(config.dataDir, snapshot), snapshot.manifest_sha256)
      if (damage === null) {
        await clearDamage(db, snapshot.id)
        print(`${snapshotLabels[kind]} ${snapshot.data_version}：文件完好，已恢复使用`)
        continue
      }
      broken++
      const remedy = isSynthetic(snapshot.data_mode)
        ? '用 ./convexa demo 重新生成'
        : '从备份恢复文件后再运行本命令，或用 ./convexa import 重新导入'
      print(`${snapshotLabels[kind]} ${snapshot.data_version}：仍然损坏（${damage}），请${remedy}`)
    }
    if (broken > 0) throw new Stop(exits.failed)
  })
}

async function find({ db, config }: CommandContext, kind: SnapshotKind): Promise<Loaded | null> {
  const snapshot = await newestSnapshot(db, kind)
  if (!snapshot) return null
  const folder = snapshotPath(config.dataDir, snapshot)
  if (kind === 'index') return { snapshot, fields: [...(await snapshotFields(folder))], benchmarks: [] }
  const index = await indexSnapshotFor(db, snapshot)
  const [fields, benchmarks] = await Promise.all([
    snapshotFields(folder),
    snapshotBenchmarks(folder, index && snapshotPath(config.dataDir, index)),
  ])
  return { snapshot, fields: [...fields], benchmarks }
}

function described(title: string, { snapshot, fields, benchmarks }: Loaded): string {
  const { quality } = snapshot
  const lines = [
    `${title}：${modeText(snapshot.dataMode)}，版本 ${snapshot.dataVersion}`,
    `  ${snapshot.securities} 只，${snapshot.firstDate} 至 ${snapshot.lastDate}，发布于 ${shanghaiTime(snapshot.publishedAt)}`,
    `  字段 ${fields.length} 个：${fields.join('、')}`,
    ...(benchmarks.length > 0 ? [`  基准：${benchmarks.map(({ code, name }) => `${name}（${code}）`).join('、')}`] : []),
    ...(quality.quarantined > 0 ? [`  隔离 ${quality.quarantined} 行`] : []),
    ...quality.findings.map(({ level, count, text }) => `  ${levels[level]}：${text}（${count}）`),
    ...quality.notes.map((note) => `  说明：${note}`),
  ]
  return lines.join('\n')
}

/** The files of an import, and how they are read: by a mapping, or by the preset that knows their columns. */
import { stat } from 'node:fs/promises'
import { shown } from '@convexa/contract'
import type { SnapshotKind } from '../manifest.ts'
import { isCompanion } from './companions.ts'
import { isDividends } from './dividends.ts'
import { type Mapping, readMapping } from './mapping.ts'
import { type Preset, presetFor, presets } from './presets.ts'
import { ImportFileError, openSource, type SourceFile, tablesIn } from './source-file.ts'
import { isStatements } from './statements.ts'

/** What an import is asked to read (`ImportRequest`). */
interface MappingRequest {
  readonly kind: SnapshotKind
  readonly paths: readonly string[]
  readonly preset?: string
  readonly mapping?: string
}

export interface Batch {
  readonly files: SourceFile[]
  readonly mapping: Mapping
  readonly preset: Preset | null
  readonly note: string | null
}

/** Files that are read alike belong together; a market is one batch, indices may be several. */
export async function batchesOf(request: MappingRequest): Promise<Batch[]> {
  const { kind } = request
  const paths: string[] = []
  for (const path of request.paths) paths.push(...(await tablesOf(path)))
  if (paths.length === 0) throw new ImportFileError('schema', `${request.paths.join('、')} 里没有 Parquet 或 CSV 文件`)
  const files: SourceFile[] = []
  for (const path of paths.sort()) {
    const file = await openSource(path)
    // They are read beside the market, not as one.
    if (!isStatements(file.columns) && !isDividends(file.columns) && !isCompanion(kind, file.name)) files.push(file)
  }
  if (files.length === 0)
    throw new ImportFileError(
      'schema',
      '只有财务报表、分红送转或参考资料，没有行情文件；请放在行情文件旁的 statements、dividends 文件夹，再导入行情',
    )
  if (request.mapping !== undefined) {
    return [{ files, mapping: await readMapping(request.mapping), preset: null, note: null }]
  }
  const named = request.preset === undefined ? null : presets.find((each) => each.name === request.preset && each.kind === kind)
  if (named === undefined) {
    const known = presets.filter((each) => each.kind === kind).map((each) => each.name)
    throw new ImportFileError('mapping', `没有名为 ${request.preset} 的预设，可用的有：${known.join('、')}`)
  }
  const groups = new Map<Preset, SourceFile[]>()
  const strangers: SourceFile[] = []
  for (const file of files) {
    const preset = named ?? presetFor(kind, file.columns)
    if (preset === null) strangers.push(file)
    else groups.set(preset, [...(groups.get(preset) ?? []), file])
  }
  if (groups.size === 0) {
    const { name, columns } = strangers[0]!
    throw new ImportFileError(
      'schema',
      `无法识别文件 ${name} 的列（${columns
        .slice(0, 12)
        .map((column) => shown(column, 20))
        .join('、')}…），请用 --mapping 指定映射文件`,
    )
  }
  if (groups.size > 1 && kind !== 'index') {
    const lists = [...groups].map(([preset, group]) => `${preset.label}：${group.map((file) => file.name).join('、')}`)
    throw new ImportFileError('schema', `文件夹里有几种不同的数据，请指定其中一个文件（${lists.join('；')}）`)
  }
  const skipped = strangers.length > 0 ? `跳过了无法识别的文件：${strangers.map((file) => file.name).join('、')}。` : null
  return [...groups].map(([preset, group]) => {
    const one = group.length > 1 ? group.find((file) => file.name === preset.only?.file) : undefined
    return {
      files: one === undefined ? group : [one],
      mapping: preset.mapping,
      preset,
      note: one === undefined ? skipped : `${preset.only!.why}：${one.name}。`,
    }
  })
}

async function tablesOf(path: string): Promise<string[]> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new ImportFileError('schema', `找不到 ${path}`)
  })
  return found.isDirectory() ? tablesIn(path) : [path]
}

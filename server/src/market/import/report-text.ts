import type { Finding, Quality } from '../../db/tables/quality.ts'
import { type SnapshotKind, snapshotLabels } from '../manifest.ts'

const adjusts = { raw: '未复权', qfq: '前复权', hfq: '后复权' } as const
const levels = { fault: '错误', quarantine: '隔离', warning: '提示' } as const
const count = (value: number): string => value.toLocaleString('en-US')

/** The import's report as lines of Chinese text. */
export function reportText(kind: SnapshotKind, quality: Quality, result: { version: string; unchanged: boolean } | null): string {
  const { rows, listedRows, securities, firstDate, lastDate } = quality
  const lines = [
    result === null
      ? `${snapshotLabels[kind]}数据未导入，现有数据保持不变。`
      : result.unchanged
        ? `${snapshotLabels[kind]}数据与当前数据相同，无需更新（${result.version}）。`
        : `${snapshotLabels[kind]}数据已导入：${result.version}。`,
    `来源：${quality.source.join('、')}（${quality.preset}，${adjusts[quality.adjust]}）。`,
  ]
  if (rows > 0) {
    lines.push(
      `${count(securities)} 只，${firstDate} 至 ${lastDate}，${count(rows)} 行，其中 ${count(listedRows)} 行在上市期内，隔离 ${count(quality.quarantined)} 行。`,
    )
  }
  for (const finding of quality.findings) lines.push(...findingLines(finding))
  for (const note of quality.notes) lines.push(`说明：${note}`)
  return lines.join('\n')
}

/** A finding as lines of a report. */
export function findingLines({ level, text, count: times, examples }: Finding): string[] {
  const head = `${levels[level]}：${text}${times > 0 ? `，${count(times)} 处` : ''}${examples.length > 0 ? '，例如：' : '。'}`
  return [head, ...examples.map((example) => `  ${example}`)]
}

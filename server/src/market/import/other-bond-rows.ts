import { markets } from '@convexa/contract/enums/market'
import type { SnapshotKind } from '../manifest.ts'
import { type OtherBond, otherBondOf, otherBonds } from '../other-bonds.ts'
import type { Companions } from './companions.ts'
import type { Rows } from './rows.ts'
import { ImportFileError } from './source-file.ts'
import { pickRows } from './versions.ts'

const mostNamed = 20

/**
 * The rows without those of bonds that are none of the market, which count as no fault of the file; what was left out is reported by kind.
 * @throws ImportFileError where the file has nothing else
 */
export function withoutOtherBonds(kind: SnapshotKind, rows: Rows, { byCode }: Pick<Companions, 'byCode'>): Rows {
  if (kind === 'index') return rows
  const kinds = rows.codes.map((code) => otherBondOf(code) ?? (byCode.get(code)?.isExchangeable ? 'exchangeable' : null))
  if (kinds.every((each) => each === null)) return rows
  const counts = new Map<OtherBond, { rows: number; codes: Set<string> }>()
  const kept: number[] = []
  for (let row = 0; row < rows.count; row++) {
    const other = kinds[rows.code[row]!] ?? null
    if (other === null) {
      kept.push(row)
      continue
    }
    const count = counts.get(other) ?? { rows: 0, codes: new Set() }
    count.rows++
    count.codes.add(rows.codes[rows.code[row]!]!)
    counts.set(other, count)
  }
  if (counts.size === 0) return rows
  const description = [...counts].map(([other, { rows: count, codes }]) => `${otherBonds[other]} ${codes.size} 只 ${count} 行`).join('、')
  if (kept.length === 0) throw new ImportFileError('other_bonds', `文件里只有${description}，没有可以公开买卖的${markets[kind].label}`)
  const named = [...counts.values()].flatMap(({ codes }) => [...codes]).sort()
  const finding = {
    check: 'other_bonds',
    level: 'warning',
    count: rows.count - kept.length,
    text: `不属于本市场的代码，逐行略去，不计入有问题的行：${description}`,
    examples: named.slice(0, mostNamed),
  } as const
  const picked = pickRows(rows, Int32Array.from(kept))
  return { ...picked, findings: [...picked.findings, finding] }
}

import { percent } from '../../../base/format.ts'

/** How alike two strategies are, in a word. */
function alike(overlap: number): '几乎相同' | '大部分相同' | '部分相同' | '很少相同' {
  if (overlap >= 0.8) return '几乎相同'
  if (overlap >= 0.5) return '大部分相同'
  return overlap >= 0.2 ? '部分相同' : '很少相同'
}

/** `近一年名单重合 82%，相关 0.95（几乎相同）` */
export const overlapWords = (overlap: number, correlation: number | null): string =>
  `近一年名单重合 ${percent(overlap, 0)}${correlation === null ? '' : `，相关 ${correlation.toFixed(2)}`}（${alike(overlap)}）`

import { fixed, percent } from '../../ui/format.ts'
import { valueWords } from './axis-choices.ts'
import { besideOf, type Cell, cellShort, type GridModel, placeKey, placeOf } from './grid-model.ts'

/** One conclusion of a grid: what is so, and what it means. */
export interface Reading {
  key: 'plateau' | 'best' | 'luck' | 'migration' | 'folds'
  look: 'ok' | 'warn' | 'info'
  title: string
  text: string
}

/** Where ranks inside the sample say little about those outside (product.md 2.14). */
const weakCorrelation = 0.5

/** What the numbers say, in the order in which a reader should ask. Nothing here advises. */
export function readingsOf(model: GridModel): Reading[] {
  if (model.axes.length === 0) return []
  return [plateauReading(model), bestReading(model), luckReading(model), migrationReading(model), foldsReading(model)].filter(
    (reading) => reading !== null,
  )
}

const sharpe = (cell: Cell | undefined) => cell?.metrics.sharpe ?? null

function plateauReading(model: GridModel): Reading {
  const { plateau, axes, cells, current } = model
  if (plateau.size === 0) return { key: 'plateau', look: 'warn', title: '没有平台区', text: model.result.plateau.sentence }
  const members = [...plateau].flatMap((key) => cells.get(key) ?? [])
  const values = members.flatMap((cell) => sharpe(cell) ?? [])
  const spans = axes.map((axis, a) => {
    const along = members.map(({ index }) => axis.values[index[a] ?? 0] ?? 0)
    const [low, high] = [Math.min(...along), Math.max(...along)]
    return `${axis.label} ${low === high ? valueWords(axis, low) : `${low}–${valueWords(axis, high)}`}`
  })
  const here = current === null ? '当前策略不在这张网格上' : plateau.has(current) ? '当前策略在其中' : '当前策略不在其中'
  return {
    key: 'plateau',
    look: members.length >= 3 ? 'ok' : 'warn',
    title: `平台区 ${members.length} 格，夏普 ${fixed(Math.min(...values))}–${fixed(Math.max(...values))}`,
    text: `集中在${spans.join('、')}；${here}。${members.length < 3 ? '相连的格子太少，谈不上平台。' : ''}`,
  }
}

function bestReading(model: GridModel): Reading | null {
  const { best, plateau, axes, cells } = model
  if (best === null) return null
  const index = placeOf(best)
  const own = sharpe(cells.get(best))
  const near = besideOf(model, index)
  const inside = plateau.has(best)
  const gap = own === null || near === null ? null : own - near.least
  const beside = gap === null ? '旁边没有可比较的格子。' : `相邻格低至 ${fixed(near?.least)}，相差 ${fixed(gap)}`
  return {
    key: 'best',
    look: inside ? 'ok' : 'warn',
    title: `最高点（${cellShort(axes, index)}）${inside ? '在平台区内' : '不在平台区内 → 不稳健'}`,
    text: gap === null ? beside : `${beside}${inside ? `；${spreadWords(model.spread.get(best) ?? null)}` : '；孤立的高点常是凑巧。'}`,
  }
}

/** Above this a value and its neighbours lie far apart (product.md 3.8). */
const steadySpread = 0.2

const spreadWords = (spread: number | null): string =>
  spread === null
    ? '周围没有可比较的格子。'
    : `与相邻格的变动 ${percent(spread, 1)}，${spread <= steadySpread ? '周围也不差。' : '周围起伏较大。'}`

function luckReading({ result, cells, years }: GridModel): Reading | null {
  const { luck_threshold: luck, trials } = result.robustness
  if (luck === null) return null
  const over = [...cells.values()].filter((cell) => (sharpe(cell) ?? Number.NEGATIVE_INFINITY) > luck).length
  return {
    key: 'luck',
    look: over > 0 ? 'ok' : 'warn',
    title: over > 0 ? `${over} 格越过运气门槛 ${fixed(luck)}` : `没有一格越过运气门槛 ${fixed(luck)}`,
    text: `${trials} 次尝试、${fixed(years, 1)} 年数据，纯靠运气最好的一格夏普约 ${fixed(luck)}。`,
  }
}

function migrationReading({ result }: GridModel): Reading | null {
  const rho = result.oos_rank_correlation
  if (rho === null) return null
  const weak = rho < weakCorrelation
  return {
    key: 'migration',
    look: weak ? 'warn' : 'ok',
    title: `样本外排名相关 ${fixed(rho)}`,
    text: weak ? '小于 0.50，说明样本内的名次迁移到样本外的能力偏弱。' : '不小于 0.50，样本内靠前的组合在样本外大多仍靠前。',
  }
}

function foldsReading({ result }: GridModel): Reading | null {
  const folds = result.folds ?? []
  const kept = folds.filter(({ train_sharpe, test_sharpe }) => train_sharpe !== null && test_sharpe !== null)
  if (kept.length === 0) return null
  const held = kept.filter(({ test_sharpe }) => (test_sharpe ?? 0) > 0).length
  const mean = kept.reduce((sum, { test_sharpe }) => sum + (test_sharpe ?? 0), 0) / kept.length
  const places = new Set(kept.map(({ best }) => placeKey(best))).size
  return {
    key: 'folds',
    look: held * 2 > kept.length ? 'ok' : 'warn',
    title: `滚动 ${kept.length} 期，次年夏普均值 ${fixed(mean)}`,
    text: `每期训练里最好的一格，次年夏普为正的占 ${percent(held / kept.length, 0)}；${kept.length} 期选出 ${places} 组不同的参数。`,
  }
}

/** Of all cells that were run. */
export function medianSharpe({ cells }: Pick<GridModel, 'cells'>): number | null {
  const values = [...cells.values()].flatMap((cell) => sharpe(cell) ?? []).sort((a, b) => a - b)
  if (values.length === 0) return null
  const middle = values.length >> 1
  return values.length % 2 === 1 ? (values[middle] ?? null) : ((values[middle - 1] ?? 0) + (values[middle] ?? 0)) / 2
}

import { robustnessChecks } from '@convexa/contract/enums/robustness-check'
import { fixed, percent } from '../../base/format.ts'
import { valueWords } from './axis-choices.ts'
import { besideOf, type Cell, cellShort, type GridModel, leastPlateau, placeKey, placeOf } from './grid-model.ts'

/** One conclusion of a grid: what is so, and what it means. */
export interface Reading {
  key: 'overfitting' | 'luck' | 'edge' | 'plateau' | 'migration' | 'folds'
  look: 'ok' | 'warn' | 'danger' | 'info'
  title: string
  /** The number that the title ends with, coloured by the look. */
  figure?: string
  text: string
}

/** Bars of experience.md 1.5. */
const bars = { overfitting: 0.3, overfitted: 0.5, correlation: 0.5 }

/** What the numbers say, in the order in which a reader should ask; a line without its number is left out. Nothing here advises. */
export function readingsOf(model: GridModel): Reading[] {
  if (model.axes.length === 0) return []
  const lines = [overfittingReading, luckReading, edgeReading, plateauReading, migrationReading, foldsReading]
  return lines.map((line) => line(model)).filter((reading) => reading !== null)
}

/** The head of them all takes the worst sign. */
export function headOf(readings: readonly Reading[]): Pick<Reading, 'look' | 'text'> {
  if (readings.some(({ look }) => look === 'danger')) return { look: 'danger', text: '这张网格多半过拟合，别直接用最高的一格' }
  const warnings = readings.filter(({ look }) => look === 'warn').length
  return warnings > 0 ? { look: 'warn', text: `有 ${warnings} 处要留意` } : { look: 'ok', text: '没有看到危险信号' }
}

function overfittingReading({ result }: GridModel): Reading | null {
  const { pbo } = result.robustness
  if (pbo === null) return null
  const look = pbo > bars.overfitted ? 'danger' : pbo > bars.overfitting ? 'warn' : 'ok'
  const texts = {
    ok: '样本内最好的参数，换一段时间大多仍在前一半。',
    warn: '样本内最好的参数，换一段时间有不小的机会落到后一半。',
    danger: '样本内最好的参数，换一段时间多半会落到后一半。',
  }
  return { key: 'overfitting', look, title: robustnessChecks.overfitting.short, figure: percent(pbo, 1), text: texts[look] }
}

const sharpe = (cell: Cell | undefined) => cell?.metrics.sharpe ?? null

/** An axis at whose first or last value the best cell stands; of fewer than three values every one is an end. */
export interface Edge {
  axis: number
  end: 'first' | 'last'
}

const leastValues = 3

export function edgesOf({ best, axes }: Pick<GridModel, 'best' | 'axes'>): Edge[] {
  if (best === null) return []
  return placeOf(best).flatMap((at, axis): Edge[] => {
    const { length } = axes[axis]?.values ?? []
    if (length < leastValues || (at > 0 && at < length - 1)) return []
    return [{ axis, end: at === 0 ? 'first' : 'last' }]
  })
}

function edgeReading(model: GridModel): Reading | null {
  const { best, axes } = model
  if (best === null || axes.every(({ values }) => values.length < leastValues)) return null
  const edges = edgesOf(model)
  const where = `最高点（${cellShort(axes, placeOf(best))}）`
  if (edges.length > 0) {
    const names = edges.map(({ axis, end }) => `${axes[axis]?.label}的${end === 'first' ? '最小' : '最大'}一端`)
    return { key: 'edge', look: 'warn', title: '最高点在边缘，请放宽范围', text: `${where}在${names.join('、')}，更外面没有算过。` }
  }
  const near = besideOf(model, placeOf(best))
  const own = sharpe(model.cells.get(best))
  const beside = near === null || own === null ? '' : `相邻格低至 ${fixed(near.least)}，相差 ${fixed(own - near.least)}；`
  return { key: 'edge', look: 'ok', title: '最高点在网格里面', text: `${where}${beside}${spreadWords(model.spread.get(best) ?? null)}` }
}

/** Above this a value and its neighbours lie far apart (product.md 3.8). */
const steadySpread = 0.2

const spreadWords = (spread: number | null): string =>
  spread === null
    ? '周围没有可比较的格子。'
    : `与邻格的差别 ${percent(spread, 1)}，${spread <= steadySpread ? '周围也不差。' : '周围起伏较大。'}`

function plateauReading(model: GridModel): Reading {
  const { alike, plateau, axes, cells, current, result } = model
  const members = [...alike].flatMap((key) => cells.get(key) ?? [])
  if (members.length < leastPlateau) {
    const few = members.length === 0 ? result.plateau.sentence : `相近的格子只有 ${members.length} 格，谈不上平台。`
    return { key: 'plateau', look: 'warn', title: '没有平台区', text: few }
  }
  const these = axes.length === 1 ? '这个参数' : axes.length === 2 ? '这两个参数' : '这些参数'
  if (plateau.size === 0) {
    const title = `大部分格子差不多（${members.length}/${cells.size}）`
    return { key: 'plateau', look: 'info', title, text: `${these}影响不大，不算平台。` }
  }
  const values = members.flatMap((cell) => sharpe(cell) ?? []).sort((a, b) => a - b)
  const range = `夏普 ${fixed(values[0])}–${fixed(values.at(-1))}`
  const spans = axes.map((axis, a) => {
    const along = members.map(({ index }) => axis.values[index[a] ?? 0] ?? 0)
    const [low, high] = [Math.min(...along), Math.max(...along)]
    return `${axis.label} ${low === high ? valueWords(axis, low) : `${low}–${valueWords(axis, high)}`}`
  })
  const here = current === null ? '当前策略不在这张网格上' : plateau.has(current) ? '当前策略在其中' : '当前策略不在其中'
  const text = `集中在${spans.join('、')}；${here}。`
  const luck = result.robustness.luck_threshold
  const middle = medianOf(values)
  if (luck !== null && middle !== null && middle <= luck)
    return {
      key: 'plateau',
      look: 'warn',
      title: '有平台，但不高于运气',
      text: `${members.length} 格，${range}，中位 ${fixed(middle)}；${text}`,
    }
  return { key: 'plateau', look: 'ok', title: `平台区 ${members.length} 格，${range}`, text }
}

function luckReading({ result, cells, years }: GridModel): Reading | null {
  const { luck_threshold: luck, trials } = result.robustness
  if (luck === null) return null
  const over = [...cells.values()].filter((cell) => (sharpe(cell) ?? Number.NEGATIVE_INFINITY) > luck).length
  return {
    key: 'luck',
    look: over > 0 ? 'ok' : 'warn',
    title: over > 0 ? `${over} 格越过运气门槛 ${fixed(luck)}` : `没有一格越过运气门槛 ${fixed(luck)}`,
    text: `运气门槛：${fixed(years, 1)} 年数据上瞎试 ${trials} 次，最好的一格夏普约 ${fixed(luck)}。`,
  }
}

function migrationReading({ result }: GridModel): Reading | null {
  const rho = result.oos_rank_correlation
  if (rho === null) return null
  const look = rho < 0 ? 'danger' : rho < bars.correlation ? 'warn' : 'ok'
  const texts = {
    ok: '样本内靠前的组合在样本外大多仍靠前。',
    warn: '样本内排前的，样本外未必还排前。',
    danger: '样本内排前的，样本外反而靠后。',
  }
  return { key: 'migration', look, title: '样本外排名相关', figure: fixed(rho), text: texts[look] }
}

function foldsReading({ result }: GridModel): Reading | null {
  const folds = result.folds ?? []
  const kept = folds.filter(({ train_sharpe, test_sharpe }) => train_sharpe !== null && test_sharpe !== null)
  if (kept.length === 0) return null
  const positive = kept.filter(({ test_sharpe }) => (test_sharpe ?? 0) > 0).length
  const mean = kept.reduce((sum, { test_sharpe }) => sum + (test_sharpe ?? 0), 0) / kept.length
  const places = new Set(kept.map(({ best }) => placeKey(best))).size
  return {
    key: 'folds',
    look: positive * 2 > kept.length ? 'ok' : 'warn',
    title: `滚动 ${kept.length} 期，次年夏普均值 ${fixed(mean)}`,
    text: `每期训练里最好的一格，次年夏普为正的占 ${percent(positive / kept.length, 0)}；${kept.length} 期选出 ${places} 组不同的参数。`,
  }
}

/** Of all cells that were run. */
export const medianSharpe = ({ cells }: Pick<GridModel, 'cells'>): number | null =>
  medianOf([...cells.values()].flatMap((cell) => sharpe(cell) ?? []).sort((a, b) => a - b))

/** Of sorted values; null of none. */
function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const middle = values.length >> 1
  return values.length % 2 === 1 ? (values[middle] ?? null) : ((values[middle - 1] ?? 0) + (values[middle] ?? 0)) / 2
}

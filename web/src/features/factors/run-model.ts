import type { FactorProbe, FactorRunningBody, FactorRunningResult } from '@convexa/contract/factor'
import { fixed } from '../../base/format.ts'
import { formulaRef } from '../rule/factors.ts'
import { mostParts, type Part, partsIn } from './parts.ts'

/** What a run was asked for. */
export interface Asked {
  formula: string
  code: string
  /** Null is the newest day. */
  date: string | null
}

/** A run as the cards show it. */
export interface FactorRun {
  request: Asked
  /** The formula on the security, with its parts. */
  probe: FactorProbe
  /** Every listed security with its value that day. */
  values: readonly (readonly [code: string, value: number | null])[]
  rows: readonly PartRow[]
  elapsed: number
}

/** A part with what it came to. */
export interface PartRow extends Part {
  value: number | string | null
  /** Days before the day itself and the day; null where there was no room to ask for it. */
  series: readonly (number | null)[] | null
}

const days = 60
/** Of the small curves beside the parts. */
export const shortDays = 20

/** The formula on the security, the formula on all, then its parts: one call, counted once. */
export function requestOf({ formula, code, date }: Asked): FactorRunningBody {
  const day = date === null ? {} : { trade_date: date }
  const whole = formulaRef(formula)
  const inner = askedParts(formula).map((part) => ({ factor: formulaRef(part.formula), codes: [code], span: shortDays, ...day }))
  return { factors: [{ factor: whole, codes: [code], span: days, ...day }, { factor: whole, ...day }, ...inner] }
}

const askedParts = (formula: string): Part[] =>
  partsIn(formula.trim())
    .filter(({ depth }) => depth > 0)
    .slice(0, mostParts)

/** The answers beside what was asked. @returns the server's sentence when the formula itself was refused */
export function readRun(request: Asked, { results }: FactorRunningResult): FactorRun | { refused: string } {
  const [probe, all, ...inner] = results
  if (!probe?.ok) return { refused: probe?.message ?? '没有得到结果' }
  const parts = partsIn(request.formula.trim())
  const seriesOf = (result: FactorRunningResult['results'][number] | undefined) =>
    result?.ok ? (result.series?.values[request.code] ?? null) : null
  const series = new Map(askedParts(request.formula).map((part, i) => [part.key, seriesOf(inner[i])]))
  const rows = parts.map((part): PartRow => {
    const whole = part.depth === 0
    const node = probe.nodes?.find(({ pos }) => pos.start === part.start && pos.end === part.end)
    const own = whole ? (seriesOf(probe)?.slice(-shortDays) ?? null) : (series.get(part.key) ?? null)
    return { ...part, series: own, value: node?.value ?? own?.at(-1) ?? null }
  })
  const elapsed = results.reduce((sum, result) => sum + (result.ok ? result.elapsed_ms : 0), 0)
  return { request, probe, rows, elapsed, values: all?.ok ? all.values : [] }
}

/** The value that most securities share, where more than a few do: a rank with many ties says little. */
export function commonest(values: FactorRun['values']): { value: number; share: number } | null {
  const counts = new Map<number, number>()
  let known = 0
  for (const [, value] of values) {
    if (value === null) continue
    known++
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  let most: { value: number; share: number } | null = null
  for (const [value, count] of counts) if (count > 1 && (!most || count / known > most.share)) most = { value, share: count / known }
  return most
}

type CheckLevel = 'ok' | 'info' | 'warn'
export interface CheckLine {
  key: 'coverage' | 'missing' | 'lookahead' | 'units' | 'ties' | 'extreme' | 'near'
  level: CheckLevel
  label: string
  value: string
}

const percentOf = (share: number, decimals = 1) => `${(share * 100).toFixed(decimals)}%`
/** Share of equal values from which a warning is shown: ranks then separate too few securities. */
const manyTies = 0.2
const isNear = 0.9

/** Checks shown before a factor is used. `remarks`: number of remarks on units while it was typed. */
export function checksOf({ probe, values }: FactorRun, remarks: number, nameOf: (ref: string) => string): CheckLine[] {
  const { coverage, missing, warnings, correlation } = probe
  const ties = commonest(values)
  const constant = ties !== null && ties.share === 1
  const extreme = warnings.find((warning) => warning.includes('绝对值'))
  const [near] = correlation
  const shown = (value: number) => String(Number(value.toPrecision(4)))
  return [
    {
      key: 'coverage',
      level: coverage === null || coverage < 0.5 ? 'warn' : 'ok',
      label: '覆盖率',
      value: coverage === null ? '—' : percentOf(coverage),
    },
    {
      key: 'missing',
      level: missing.length > 0 ? 'info' : 'ok',
      label: '缺失',
      value: `${missing.length}${missing.length >= 500 ? '+' : ''} 只`,
    },
    { key: 'lookahead', level: probe.lookahead ? 'warn' : 'ok', label: '未来函数', value: probe.lookahead ? '有' : '未发现' },
    { key: 'units', level: remarks > 0 ? 'warn' : 'ok', label: '单位', value: remarks > 0 ? `${remarks} 处提醒` : '未见不一致' },
    {
      key: 'ties',
      level: constant || (ties?.share ?? 0) >= manyTies ? 'warn' : 'ok',
      label: '同值占比',
      value: constant
        ? '全部相同，没有区分度'
        : ties && ties.share >= 0.02
          ? `${percentOf(ties.share, 0)} 为 ${shown(ties.value)}`
          : '很少',
    },
    {
      key: 'extreme',
      level: extreme ? 'warn' : 'ok',
      label: '极端值',
      value: extreme ? extreme.replace('，请检查单位或除数', '') : '未发现',
    },
    ...(near
      ? [
          {
            key: 'near' as const,
            level: Math.abs(near.value) >= isNear ? ('warn' as const) : ('ok' as const),
            label: `与「${nameOf(near.factor_key)}」相关`,
            value: fixed(near.value),
          },
        ]
      : []),
  ]
}

import type { GridAxis, GridBody, GridSplit } from '@convexa/contract/grid'
import type { Draft } from '../../state/drafts.ts'
import { sendable } from '../rule/draft.ts'
import type { AxisChoice } from './axis-choices.ts'
import { readValues } from './values-text.ts'

/** One axis as its user set it: which number, and the values as typed. */
export interface AxisForm {
  key: string
  text: string
}

export interface SplitForm {
  type: 'none' | GridSplit['type']
  /** The last share of the range. */
  ratio: number
  /** Years of each training. */
  years: number
}

const shares = [10, 20, 30].map((percent) => ({ value: `ratio ${percent / 100}`, label: `最近 ${percent}%` }))
const walks = [2, 3, 4, 5].map((years) => ({ value: `walk ${years}`, label: `滚动：训练 ${years} 年 / 检验 1 年` }))
/** Walking forward needs more than one test year. */
const walkFrom = 4

/** What may be kept out of the sample of a range. */
export function splitChoices(start: string, end: string): { value: string; label: string }[] {
  const years = (Date.parse(end) - Date.parse(start)) / (365.25 * 86_400_000)
  return [{ value: 'none', label: '不划分' }, ...shares, ...(years >= walkFrom ? walks : [])]
}

/** An axis of an asked grid, with how its numbers are shown. */
export interface ShownAxis {
  label: string
  unit: string
  scale: 1 | 100
  /** As shown. */
  values: readonly number[]
  /** What the draft had, as shown. */
  now: number | null
}

/** What was asked, with all that is needed to show its answer: the draft may have changed since. */
export interface GridQuestion {
  body: GridBody
  axes: readonly ShownAxis[]
  /** Name of the draft. */
  name: string
  /** The saved strategy that the draft was a copy of. */
  strategyId?: string
  /** The draft itself; a grid that an earlier release kept does not say it. */
  draftId?: string
  /** Versions of the own factors that it names, when it was asked (`ownVersionsIn`). */
  own: string | null
}

interface AxisMistake {
  axis: number
  message: string
}

export type GridPlan =
  | { ok: true; question: Omit<GridQuestion, 'own'>; cells: number }
  | { ok: false; mistakes: readonly AxisMistake[]; cells: number | null }

/** From a form to a request: values read, paths placed, missing conditions added. */
export function planGrid(
  draft: Pick<Draft, 'id' | 'name' | 'saved' | 'parameters' | 'settings'>,
  choices: readonly AxisChoice[],
  forms: readonly AxisForm[],
  split: SplitForm,
): GridPlan {
  const mistakes: AxisMistake[] = []
  const axes: GridAxis[] = []
  const shown: ShownAxis[] = []
  let parameters = sendable(draft.parameters)
  for (const [axis, { key, text }] of forms.entries()) {
    const choice = choices.find((one) => one.key === key)
    const read = choice ? readValues(text, choice) : null
    const message = !choice
      ? '当前策略里没有这个参数，请重新选择'
      : forms.findIndex((other) => other.key === key) < axis
        ? '与前面的轴重复'
        : (read?.message ?? null)
    if (message !== null || !choice || !read?.values) {
      mistakes.push({ axis, message: message ?? '' })
      continue
    }
    const placed = choice.place(parameters)
    parameters = placed.parameters
    const { label, unit, scale, now } = choice
    axes.push({ path: placed.path, label, values: read.values.map((value) => Number((value / scale).toPrecision(12))) })
    shown.push({ label, unit, scale, values: read.values, now })
  }
  const cells = mistakes.length > 0 ? null : shown.reduce((product, { values }) => product * values.length, 1)
  if (cells === null) return { ok: false, mistakes, cells }
  const oos: GridSplit | null =
    split.type === 'none'
      ? null
      : split.type === 'ratio'
        ? { type: 'ratio', value: split.ratio }
        : { type: 'walk_forward', value: split.years }
  const body: GridBody = { parameters, settings: draft.settings, axes, ...(oos ? { oos } : {}) }
  const of = { ...(draft.saved && { strategyId: draft.saved.id }), ...(draft.id !== undefined && { draftId: draft.id }) }
  return { ok: true, cells, question: { body, axes: shown, name: draft.name, ...of } }
}

/** The refusal of product.md 2.14; null where the plan allows so many. */
export const cellsMistake = (cells: number, limit: number): string | null =>
  cells > limit ? `组合数不能超过 ${limit}；当前 ${cells}` : null

/** What one cell took by trading day, on a machine of two cores; corrected by what the last grid of this browser took. */
const secondsPerCellDay = 1.2e-5
const secondsAtLeast = 0.5

export interface Pace {
  /** Seconds per cell and trading day. */
  perCellDay: number
}

export const paceOf = (seconds: number, cells: number, days: number): Pace => ({ perCellDay: seconds / Math.max(1, cells * days) })

/** `预计 20–40 秒`: from three quarters to one and a half of what the pace says. */
export function estimateWords(cells: number, days: number, pace: Pace | null): string {
  const seconds = Math.max(secondsAtLeast, cells * days * (pace?.perCellDay ?? secondsPerCellDay))
  const [low, high] = [Math.max(1, Math.floor(seconds * 0.75)), Math.max(2, Math.ceil(seconds * 1.5))]
  return high <= 2 ? '预计 2 秒以内' : `预计 ${low}–${high} 秒`
}

/** Trading days between two dates, near enough: 242 a year. */
export const daysBetween = (start: string, end: string): number =>
  Math.max(0, Math.round(((Date.parse(end) - Date.parse(start)) / 86_400_000) * (242 / 365)))

/** A grid that took too long: every other value of its longest axis, until it is half as large. */
export function thinned(forms: readonly AxisForm[], choices: readonly AxisChoice[]): { index: number; text: string } | null {
  let longest: { index: number; values: readonly number[] } | null = null
  for (const [index, { key, text }] of forms.entries()) {
    const choice = choices.find((one) => one.key === key)
    const read = choice && readValues(text, choice)
    if (read?.values && read.values.length > (longest?.values.length ?? 2)) longest = { index, values: read.values }
  }
  if (!longest) return null
  const { index, values } = longest
  return { index, text: values.filter((_, i) => i % 2 === 0).join(',') }
}

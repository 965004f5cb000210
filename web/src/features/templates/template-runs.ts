import type { Settings } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import type { QuickBacktestResult } from '@convexa/contract/grid'
import type { Template } from '@convexa/contract/reference'
import { create } from 'zustand'
import { call } from '../../api/client.ts'
import { CallError, sentenceOf } from '../../api/messages.ts'
import { isAuthenticated } from '../../state/auth.ts'
import { atLeast, finite, listOf, optional, orNull, recordOf, text } from '../../state/shapes.ts'
import { local } from '../../state/storage.ts'
import { recentYear } from '../quick-curve/live-numbers.ts'
import { isRunnable } from '../rule/draft.ts'

// What a template's own rule did on the data of now. A figure is kept with the data's version and its terms, and told only while both are the same.

export interface TemplateFigures {
  dataVersion: string
  /** The rule and its terms, as one text: another rule under the same name has no figures yet. */
  asked: string
  start: string
  end: string
  annual: number | null
  drawdown: number | null
  /** Of the last 242 trading days; null where there are fewer. */
  recent: number | null
  /** Net values evenly taken, the last day last. */
  curve: readonly number[]
  /** As the run told it; figures that were kept before do not say. */
  interest?: number | null
}

export type TemplateRun = { kind: 'running' } | { kind: 'failed'; sentence: string }

interface TemplateRuns {
  figures: Readonly<Record<string, TemplateFigures>>
  runs: Readonly<Record<string, TemplateRun>>
}

const storageKey = 'templateFigures'
const figure = orNull(finite)
const shape = recordOf(
  atLeast<TemplateFigures>({
    ...{ dataVersion: text, asked: text, start: text, end: text },
    ...{ annual: figure, drawdown: figure, recent: figure, curve: listOf(finite), interest: optional(figure) },
  }),
)
export const useTemplateRuns = create<TemplateRuns>(() => ({
  figures: local.read(storageKey, shape) ?? {},
  runs: {},
}))

const keyOf = (kind: MarketId, template: Template) => `${kind} ${template.key}`
const askedOf = ({ parameters }: Template, settings: Settings) => JSON.stringify([parameters, settings])

/** Its figures on these data under these terms; null where it has not been run on them. */
export function figuresOf(
  { figures }: Pick<TemplateRuns, 'figures'>,
  kind: MarketId,
  template: Template,
  settings: Settings,
  dataVersion: string | null,
): TemplateFigures | null {
  const kept = figures[keyOf(kind, template)]
  return kept && kept.dataVersion === dataVersion && kept.asked === askedOf(template, settings) ? kept : null
}

export const runOf = ({ runs }: Pick<TemplateRuns, 'runs'>, kind: MarketId, template: Template): TemplateRun | null =>
  runs[keyOf(kind, template)] ?? null

/**
 * Runs templates one after another until `signal` aborts. The server cancels a user's quick run when their next one starts, so these
 * runs and the quick curve of the workbench would cancel each other.
 */
export async function runTemplates(kind: MarketId, templates: readonly Template[], settings: Settings, signal: AbortSignal): Promise<void> {
  for (const template of templates.filter(isRunnable)) {
    // After a logout another call would open a login prompt.
    if (!isAuthenticated() || signal.aborted) return
    const key = keyOf(kind, template)
    note(key, { kind: 'running' })
    try {
      const result = await call(calls[kind].quickBacktest, { body: { parameters: template.parameters, settings } }, { signal })
      keep(key, readFigures(result, askedOf(template, settings)))
      note(key, null)
    } catch (error) {
      const isLeft = signal.aborted || (error instanceof CallError && error.kind === 'login')
      note(key, isLeft ? null : { kind: 'failed', sentence: sentenceOf(error) })
    }
  }
}

function note(key: string, run: TemplateRun | null): void {
  const { [key]: _, ...others } = useTemplateRuns.getState().runs
  useTemplateRuns.setState({ runs: run ? { ...others, [key]: run } : others })
}

function keep(key: string, made: TemplateFigures): void {
  const figures = { ...useTemplateRuns.getState().figures, [key]: made }
  local.write(storageKey, figures)
  useTemplateRuns.setState({ figures })
}

const points = 60

function readFigures(
  { metrics, curves, data_version, left_out_interest: interest }: QuickBacktestResult,
  requestKey: string,
): TemplateFigures {
  const { dates, nav } = curves
  const known = nav.filter((value): value is number => value !== null)
  const step = Math.max(1, (known.length - 1) / (points - 1))
  const places = [...new Set(Array.from({ length: Math.min(points, known.length) }, (_, i) => Math.round(i * step)))]
  return {
    ...{ asked: requestKey, dataVersion: data_version, start: dates[0] ?? '', end: dates.at(-1) ?? '' },
    ...{ annual: metrics.annual_return, drawdown: metrics.max_drawdown },
    recent: recentYear(nav),
    ...(interest !== undefined && { interest }),
    curve: places.flatMap((place) => known[Math.min(place, known.length - 1)] ?? []),
  }
}

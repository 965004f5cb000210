import type { BacktestEvent, Settings, Stage } from '@convexa/contract/backtest'
import type { MarketId } from '@convexa/contract/enums/market'
import type { Parameters } from '@convexa/contract/strategy'
import { secondsLeft } from '../../ui/progress.ts'

// One run as the page sees it: a reducer over the stream's events. Pure; times come in with each action.

/** What is to be run; kept whole so that [重新运行] asks for exactly the same. */
export interface RunRequest {
  kind: MarketId
  name: string
  note: string
  /** null: of a group, whose members the server knows. */
  parameters: Parameters | null
  settings: Settings
  /** The saved strategy that the rule is, or began as. */
  strategyId?: string
  groupId?: string
}

/** Both are rules, so that they can be compared; a group's members are not known here. */
export const comparableRules = (before: RunRequest | null, after: RunRequest) =>
  before?.parameters && after.parameters
    ? ([
        { kind: before.kind, parameters: before.parameters, settings: before.settings },
        { kind: after.kind, parameters: after.parameters, settings: after.settings },
      ] as const)
    : null

type RunPhase = 'connecting' | 'queued' | 'running' | 'done' | 'failed' | 'cancelled'
type RunResult = Extract<BacktestEvent, { type: 'result' }>
/** Every event of the contract, and the unknown kinds that the wire passes on as progress. */
export type RunEvent = BacktestEvent | { type: 'other'; payload: string }

export interface RunState {
  key: string
  request: RunRequest
  /** What was run before it on this market, to say what is different. */
  previous: RunRequest | null
  phase: RunPhase
  runId: string | null
  /** Place in the queue, 1 = next. */
  position: number | null
  /** It had come to its turn before. */
  waitsAgain: boolean
  stage: Stage | null
  /** When each stage began, in milliseconds of the page's clock. */
  began: Partial<Record<Stage, number>>
  percent: number
  date: string | null
  hold: number | null
  trades: number | null
  curve: { dates: readonly string[]; nav: readonly (number | null)[]; bench: readonly (number | null)[] }
  warnings: readonly string[]
  /** Percent over time, for the estimate. */
  samples: readonly { at: number; percent: number }[]
  startedAt: number
  endedAt: number | null
  result: RunResult | null
  failure: { message: string; code: number } | null
}

export type RunAction =
  | { type: 'event'; event: RunEvent; at: number }
  | { type: 'fail'; message: string; code: number; at: number }
  | { type: 'cancel'; at: number }

const stageOrder = ['queue', 'load', 'factors', 'simulate', 'report'] as const

export const newRun = (key: string, request: RunRequest, at: number, previous: RunRequest | null = null): RunState => ({
  key,
  request,
  previous,
  phase: 'connecting',
  runId: null,
  position: null,
  waitsAgain: false,
  stage: null,
  began: {},
  percent: 0,
  date: null,
  hold: null,
  trades: null,
  curve: { dates: [], nav: [], bench: [] },
  warnings: [],
  samples: [],
  startedAt: at,
  endedAt: null,
  result: null,
  failure: null,
})

export const isActive = (run: RunState): boolean => run.phase === 'connecting' || run.phase === 'queued' || run.phase === 'running'

export function reduceRun(run: RunState, action: RunAction): RunState {
  if (!isActive(run)) return run
  switch (action.type) {
    case 'event':
      return onEvent(run, action.event, action.at)
    case 'fail':
      return { ...run, phase: 'failed', failure: { message: action.message, code: action.code }, endedAt: action.at }
    case 'cancel':
      return { ...run, phase: 'cancelled', endedAt: action.at }
  }
}

function onEvent(run: RunState, event: RunEvent, at: number): RunState {
  switch (event.type) {
    case 'queued':
      return {
        ...(isBehindQueue(run) ? waitAgain(run) : enter(run, 'queue', at)),
        phase: 'queued',
        runId: event.run_id,
        position: event.position,
      }
    case 'stage':
      return { ...enter(run, event.stage, at), phase: event.stage === 'queue' ? 'queued' : 'running', runId: event.run_id }
    case 'progress': {
      // The server promises that percent never falls; what is drawn must not fall whatever arrives.
      const percent = Math.min(100, Math.max(run.percent, event.percent))
      const { date, hold, trades } = event
      return {
        ...run,
        phase: 'running',
        runId: event.run_id,
        percent,
        date,
        hold,
        trades,
        samples: [...run.samples, { at, percent }].slice(-40),
      }
    }
    case 'curve': {
      const { dates, nav, bench } = run.curve
      const curve = { dates: [...dates, ...event.dates], nav: [...nav, ...event.nav], bench: [...bench, ...event.bench] }
      return { ...run, phase: 'running', curve }
    }
    case 'warning':
      return run.warnings.includes(event.message) ? run : { ...run, warnings: [...run.warnings, event.message] }
    case 'result':
      return { ...run, phase: 'done', percent: 100, result: event, endedAt: at }
    // A kind that this page does not know: the server may be newer than a page that has been open since yesterday.
    default:
      return run
  }
}

const isBehindQueue = ({ stage }: RunState): boolean => stage !== null && stage !== 'queue'

/** Its data could not be read where it was to be computed: it waits for another place, and its steps begin anew. */
const waitAgain = (run: RunState): RunState => {
  const { queue } = run.began
  return { ...run, stage: 'queue', waitsAgain: true, samples: [], began: queue === undefined ? {} : { queue } }
}

/** Stages only move forward; those that were skipped have no time of their own. */
function enter(run: RunState, stage: Stage, at: number): RunState {
  const ahead = stageOrder.indexOf(stage) > (run.stage ? stageOrder.indexOf(run.stage) : -1)
  return ahead ? { ...run, stage, began: { ...run.began, [stage]: at } } : run
}

export interface StageView {
  stage: Stage
  state: 'past' | 'now' | 'ahead'
  /** Seconds it took; null while it lasts, or when it was skipped. */
  seconds: number | null
}

/** The five steps with their times. A run that ended early leaves the step it was in as `now`. */
export function stagesOf(run: RunState): StageView[] {
  const now = run.stage ? stageOrder.indexOf(run.stage) : 0
  return stageOrder.map((stage, i) => {
    const state = run.phase === 'done' || i < now ? 'past' : i === now ? 'now' : 'ahead'
    const from = run.began[stage]
    const next = stageOrder.slice(i + 1).find((later) => run.began[later] !== undefined)
    const to = next ? run.began[next] : run.phase === 'done' ? run.endedAt : null
    return { stage, state, seconds: state === 'past' && from !== undefined && typeof to === 'number' ? (to - from) / 1000 : null }
  })
}

/** Whole seconds still to go; days are simulated in one stage alone, and the estimate rests on it. */
export function remainingSeconds(run: RunState, now: number): number | null {
  const began = run.began.simulate
  if (run.phase !== 'running' || run.stage !== 'simulate' || began === undefined) return null
  return secondsLeft(run.samples, began, now)
}

/** Where a run stands, in a few words. */
export function phaseWords(run: RunState): string {
  switch (run.phase) {
    case 'connecting':
      return '正在提交'
    case 'queued': {
      const words = run.waitsAgain ? '重新排队中' : '排队中'
      if (run.position === null || run.position < 1) return words
      return run.position === 1 ? `${words}，下一个开始` : `${words}，前面还有 ${run.position - 1} 个`
    }
    case 'running':
      return `${Math.floor(run.percent)}%`
    case 'done':
      return '已完成，点击看报告'
    case 'failed':
      return run.failure?.message ?? '失败'
    case 'cancelled':
      return '已取消'
  }
}

import type { BacktestEvent } from '@convexa/contract/backtest'
import { describe, expect, it } from 'vitest'
import { newRun, type RunEvent, type RunRequest, type RunState, reduceRun, remainingSeconds, stagesOf } from './backtest-run.ts'

const request = { kind: 'cb', name: '双低 10 只', note: '' } as RunRequest
const id = { run_id: 'r1' }
const progress = (seq: number, percent: number): RunEvent => ({
  ...id,
  seq,
  type: 'progress',
  percent,
  date: '2024-01-02',
  nav: 1.1,
  bench: 1,
  hold: 10,
  trades: 2,
})
const stage = (seq: number, name: 'load' | 'factors' | 'simulate' | 'report'): RunEvent => ({
  ...id,
  seq,
  type: 'stage',
  stage: name,
  label: '',
})
const result = { ...id, seq: 99, type: 'result', backtest_id: 'b1', partial: false } as unknown as BacktestEvent

type Step = [at: number, event: RunEvent | 'cancel' | string]
const play = (steps: readonly Step[]): RunState =>
  steps.reduce(
    (run, [at, step]) =>
      step === 'cancel'
        ? reduceRun(run, { type: 'cancel', at })
        : typeof step === 'string'
          ? reduceRun(run, { type: 'fail', message: step, code: 23020, at })
          : reduceRun(run, { type: 'event', event: step, at }),
    newRun('k', request, 0),
  )

const queued: RunEvent = { ...id, seq: 1, type: 'queued', position: 2 }

describe('a run as its events arrive', () => {
  const cases: [string, Step[], Partial<RunState>][] = [
    ['nothing yet', [], { phase: 'connecting', percent: 0, runId: null }],
    ['waits in the queue', [[100, queued]], { phase: 'queued', position: 2, runId: 'r1', stage: 'queue' }],
    [
      'loads',
      [
        [100, queued],
        [300, stage(2, 'load')],
      ],
      { phase: 'running', stage: 'load' },
    ], // prettier-ignore
    [
      'percent never falls',
      [
        [1, progress(3, 40)],
        [2, progress(4, 30)],
      ],
      { percent: 40 },
    ],
    ['percent ends at 100', [[1, progress(3, 140)]], { percent: 100 }],
    [
      'a stage never goes back',
      [
        [1, stage(2, 'simulate')],
        [2, stage(3, 'load')],
      ],
      { stage: 'simulate' },
    ],
    [
      'a run that could not be computed where it was waits again: its steps begin anew, its percent stays',
      [
        [1, queued],
        [2, stage(2, 'load')],
        [3, progress(3, 12)],
        [4, { ...id, seq: 4, type: 'queued', position: 1 }],
      ],
      { phase: 'queued', stage: 'queue', position: 1, percent: 12, waitsAgain: true, samples: [], began: { queue: 1 } },
    ],
    [
      'and then it is computed',
      [
        [1, queued],
        [2, stage(2, 'load')],
        [4, { ...id, seq: 3, type: 'queued', position: 1 }],
        [6, stage(4, 'load')],
      ],
      { phase: 'running', stage: 'load', began: { queue: 1, load: 6 } },
    ],
    ['an unknown kind of line changes nothing', [[1, { type: 'other', payload: 'x' }]], { phase: 'connecting' }],
    [
      'an event of a newer server changes nothing, and the run goes on',
      [
        [1, queued],
        [2, { ...id, seq: 2, type: 'weather' } as unknown as RunEvent],
        [3, progress(3, 40)],
      ],
      { phase: 'running', percent: 40, failure: null },
    ],
    [
      'done',
      [
        [1, queued],
        [5, result],
      ],
      { phase: 'done', percent: 100, endedAt: 5 },
    ],
    [
      'refused before it began',
      [[9, '今日回测次数已用完']],
      { phase: 'failed', failure: { message: '今日回测次数已用完', code: 23020 }, endedAt: 9 },
    ],
    [
      'cancelled keeps what it had',
      [
        [1, progress(2, 30)],
        [7, 'cancel'],
      ],
      { phase: 'cancelled', percent: 30, endedAt: 7 },
    ],
    [
      'nothing after the end counts',
      [
        [1, result],
        [2, progress(3, 10)],
        [3, 'late'],
        [4, 'cancel'],
      ],
      { phase: 'done', percent: 100, failure: null },
    ],
  ]
  it.each(cases)('%s', (_, steps, expected) => expect(play(steps)).toMatchObject(expected))

  it('appends the curve', () => {
    const part = (seq: number, dates: string[], nav: number[]): RunEvent => ({
      ...id,
      seq,
      type: 'curve',
      dates,
      nav,
      bench: nav.map(() => null),
    })
    const run = play([
      [1, part(2, ['2024-01-02', '2024-01-03'], [1, 1.1])],
      [2, part(3, ['2024-01-04'], [1.2])],
    ])
    expect(run.curve).toEqual({ dates: ['2024-01-02', '2024-01-03', '2024-01-04'], nav: [1, 1.1, 1.2], bench: [null, null, null] })
  })

  it('says a warning once', () => {
    const warning: RunEvent = { ...id, seq: 2, type: 'warning', message: '缺少溢价率' }
    expect(
      play([
        [1, warning],
        [2, warning],
      ]).warnings,
    ).toEqual(['缺少溢价率']) // prettier-ignore
  })
})

describe('the five steps', () => {
  it('each has the time until the next began; a skipped one has none', () => {
    const run = play([
      [0, queued],
      [300, stage(2, 'load')],
      [1400, stage(3, 'simulate')],
      [3400, progress(4, 50)],
    ])
    expect(stagesOf(run).map(({ stage, state, seconds }) => [stage, state, seconds])).toEqual([
      ['queue', 'past', 0.3],
      ['load', 'past', 1.1],
      ['factors', 'past', null],
      ['simulate', 'now', null],
      ['report', 'ahead', null],
    ])
  })
  it('all are past when it is done', () => {
    const run = play([
      [0, queued],
      [100, stage(2, 'load')],
      [500, stage(3, 'report')],
      [700, result],
    ]) // prettier-ignore
    expect(stagesOf(run).map((view) => view.seconds)).toEqual([0.1, 0.4, null, null, 0.2])
  })
})

describe('the estimate', () => {
  const even = (seconds: number): Step[] => [
    [0, stage(2, 'simulate')],
    ...Array.from({ length: seconds * 5 }, (_, i): Step => [(i + 1) * 200, progress(i + 3, (i + 1) * 2)]),
  ]
  it('is given at a steady pace', () => expect(remainingSeconds(play(even(4)), 4000)).toBe(6))
  it('is not given in the first seconds', () => expect(remainingSeconds(play(even(1)), 1000)).toBeNull())
  it('is not given outside the simulation', () =>
    expect(remainingSeconds(play([...even(4), [4100, stage(90, 'report')]]), 4200)).toBeNull())
  it('is not given when the pace jumps', () => {
    const uneven: Step[] = [
      [0, stage(2, 'simulate')],
      ...[1, 2, 3, 30, 31, 60].map((percent, i): Step => [(i + 1) * 600, progress(i + 3, percent)]),
    ]
    expect(remainingSeconds(play(uneven), 3600)).toBeNull()
  })
  it('is over when its time has passed', () => expect(remainingSeconds(play(even(4)), 60_000)).toBeNull())
})

import { expect, it } from 'vitest'
import { newRun, type RunRequest, reduceRun } from './backtest-run.ts'
import { shownRun } from './backtest-run-shown.ts'

const request = (kind: 'cb' | 'stk') => ({ kind, name: '', note: '' }) as unknown as RunRequest
const ended = reduceRun(newRun('ended', request('cb'), 0), { type: 'cancel', at: 1 })
const runs = [newRun('first', request('cb'), 0), newRun('stock', request('stk'), 0), ended]

it.each([
  ['cb', null, 'first'],
  ['cb', 'ended', 'ended'],
  ['cb', 'gone', 'first'],
  ['cb', 'stock', 'first'],
  ['stk', null, 'stock'],
  ['cb', 'new', undefined],
] as const)('of %s, asked for %s, %s is shown', (kind, asked, key) => expect(shownRun(runs, kind, asked)?.key).toBe(key))

it('what ended is shown until it is dismissed', () => expect(shownRun([ended], 'cb', null)?.key).toBe('ended'))

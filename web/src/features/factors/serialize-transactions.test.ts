import { EditorState, type Transaction, type TransactionSpec } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { serializeTransactions } from './serialize-transactions.ts'

/** A view that redraws as the editor's does: no update within an update; what happens while it redraws is given. */
function viewOf(text: string, whileRedrawing: ((dispatch: (spec: TransactionSpec) => void) => void)[]) {
  const take = serializeTransactions()
  let redrawing = false
  const steps: string[] = []
  const view = {
    state: EditorState.create({ doc: text }),
    update(transactions: readonly Transaction[]) {
      if (redrawing) throw new Error('not allowed while an update is in progress')
      for (const one of transactions) {
        expect(one.startState).toBe(view.state)
        view.state = one.state
      }
      steps.push(view.state.doc.toString())
      redrawing = true
      try {
        whileRedrawing.shift()?.((spec) => take([view.state.update(spec)], view))
      } finally {
        redrawing = false
      }
    },
  }
  return { steps, dispatch: (spec: TransactionSpec) => take([view.state.update(spec)], view) }
}
const write = (from: number, insert: string): TransactionSpec => ({ changes: { from, insert } })

describe('transactions are taken in turn', () => {
  it('one that comes while the view redraws waits until it stands', () => {
    const { steps, dispatch } = viewOf('a', [(redraw) => redraw(write(2, 'c'))])
    dispatch(write(1, 'b'))
    expect(steps).toEqual(['ab', 'abc'])
  })

  it('several that come within one redrawing are one step, each where it was meant', () => {
    const both = (redraw: (spec: TransactionSpec) => void) => {
      redraw(write(0, '(('))
      redraw(write(2, '))'))
    }
    const { steps, dispatch } = viewOf('a', [both])
    dispatch(write(1, 'b'))
    expect(steps).toEqual(['ab', '((ab))'])
  })

  it('what waited may itself be answered while it is shown', () => {
    const { steps, dispatch } = viewOf('', [(redraw) => redraw(write(1, 'b')), (redraw) => redraw(write(2, 'c'))])
    dispatch(write(0, 'a'))
    expect(steps).toEqual(['a', 'ab', 'abc'])
  })

  it('an update that throws leaves the next one its turn', () => {
    const { steps, dispatch } = viewOf('a', [
      () => {
        throw new Error('a widget could not be drawn')
      },
    ])
    expect(() => dispatch(write(1, 'b'))).toThrow('a widget')
    dispatch(write(2, 'c'))
    expect(steps).toEqual(['ab', 'abc'])
  })
})

import type { Transaction, TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/**
 * Applies editor transactions one after another. A redraw can remove the focused element (the completion list); the blur handler
 * then dispatches a transaction during the update, for which CodeMirror throws. Such transactions wait until the update is done.
 * @returns the `dispatchTransactions` option of `EditorView`
 */
export function serializeTransactions() {
  let waiting: Transaction[] | null = null
  return (transactions: readonly Transaction[], view: Pick<EditorView, 'state' | 'update'>): void => {
    if (waiting) {
      waiting.push(...transactions)
      return
    }
    let next = transactions
    while (next.length > 0) {
      waiting = []
      try {
        view.update(next)
      } finally {
        next = waiting
        waiting = null
      }
      // Those that waited began at the same state, the one that was being shown: together they are one step.
      if (next.length > 1) next = [view.state.update(...next.map(specOf))]
    }
  }
}

const specOf = ({ changes, selection, effects, scrollIntoView }: Transaction): TransactionSpec => ({
  ...{ changes, effects, scrollIntoView },
  ...(selection ? { selection } : {}),
})

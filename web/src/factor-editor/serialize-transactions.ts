import type { Transaction, TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/**
 * How the editor takes its transactions: one after another. While it redraws itself the browser tells of a focus that is lost by the
 * redrawing (the list that had it is taken away), and whoever answers that by a transaction would meet an exception. Here the answer
 * waits until the view stands.
 * @returns what `EditorView` wants as `dispatchTransactions`
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

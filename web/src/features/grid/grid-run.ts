import { calls } from '@convexa/contract/calls'
import type { GridResult } from '@convexa/contract/grid'
import { call } from '../../api/client.ts'
import { createLongQuery } from '../../api/long-query-store.ts'
import { queries, strategyOptionsQuery } from '../../api/queries.ts'
import type { GridQuestion } from './grid-request.ts'
import { keepGrid, keptGrid } from './kept-grid.ts'

/** The grid that is computed, and the last one that was, in this browser. */
export const useGridRun = createLongQuery<GridQuestion, GridResult>(async (_, { body }, signal) => {
  try {
    return await call(calls.quant.gridBacktest, { body }, { signal })
  } finally {
    // One use of the day's is gone, also of one that was given up.
    void queries.invalidateQueries({ queryKey: strategyOptionsQuery.queryKey })
  }
}).cb

useGridRun.setState({ answered: keptGrid() })
useGridRun.subscribe(({ answered }, before) => {
  if (answered !== before.answered) keepGrid(answered)
})

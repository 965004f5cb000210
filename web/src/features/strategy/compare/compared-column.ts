import type { ReportCore } from '@convexa/contract/report'
import { queryOptions } from '@tanstack/react-query'
import { queries, strategyDetailQuery } from '../../../api/queries.ts'
import { reportName } from '../../report/report-name.ts'
import { reportQuery } from '../../report/report-queries.ts'
import { type Compared, groupPath, itemText, strategyPath } from '../../rule/addresses.ts'
import { groupQuery, type RunFilter, runsQuery } from '../../rule/strategy-queries.ts'
import { runNameOf } from '../../run/backtest-run-names.ts'
import { reportPath } from '../run-columns.tsx'

/** @public named in the type of `useColumns` */
export interface ComparedThing {
  name: string
  /** Where it is looked at by itself. */
  href: string
  /** The run that speaks for it; null: it was never run to its end. */
  report: ReportCore | null
}

const done = 2

async function newestReport(kind: Compared['kind'], of: Pick<RunFilter, 'strategy_id' | 'group_id'>): Promise<ReportCore | null> {
  const { list_items: runs } = await queries.fetchQuery(runsQuery({ ...of, status: done, offset: 0, limit: 1 }))
  return runs[0] ? queries.fetchQuery(reportQuery(kind, runs[0].backtest_id)) : null
}

const load: Record<Compared['type'], (item: Compared) => Promise<ComparedThing>> = {
  strategy: async ({ kind, id }) => {
    const [{ strategy_name: name }, report] = await Promise.all([
      queries.fetchQuery(strategyDetailQuery(kind, id)),
      newestReport(kind, { strategy_id: id }),
    ])
    return { name, href: strategyPath(kind, id), report }
  },
  group: async ({ kind, id }) => {
    const [{ group_name: name }, report] = await Promise.all([
      queries.fetchQuery(groupQuery(kind, id)),
      newestReport(kind, { group_id: id }),
    ])
    return { name, href: groupPath(kind, id), report }
  },
  run: async ({ kind, id }) => {
    const report = await queries.fetchQuery(reportQuery(kind, id))
    return { name: runNameOf(id) ?? reportName(report), href: reportPath({ kind, backtest_id: id }), report }
  },
}

/** One column of the comparison, by itself: each fills, or fails, in its own time. */
export const columnQuery = (item: Compared) =>
  queryOptions({ queryKey: ['compared', itemText(item)], queryFn: () => load[item.type](item), staleTime: 30_000, retry: false })

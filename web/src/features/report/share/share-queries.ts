import { calls } from '@convexa/contract/calls'
import type { Report } from '@convexa/contract/report'
import type { SharedReport } from '@convexa/contract/share'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { inNamesOfNow } from '../report-names.ts'

export const sharesQuery = queryOptions({
  queryKey: ['shares'],
  queryFn: ({ signal }) => call(calls.quant.shareList, undefined, { signal }),
})

/** What a link leads to; read once, it stays: whether it has ended since is asked when the page is opened again. */
export const sharedReportQuery = (token: string) =>
  queryOptions({
    queryKey: ['shared-report', token],
    queryFn: async ({ signal }) => inNamesOfNow(await call(calls.quant.sharedReport, { params: { token } }, { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

/** A shared report as the parts of a report take it: it has no owner, no id and no note. */
export const asReport = (shared: SharedReport): Report => ({ ...shared, backtest_id: '', note: '' })

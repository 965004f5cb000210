import type { RunRetention } from '@convexa/contract/backtest'
import { calls } from '@convexa/contract/calls'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { retentionWords } from './retention-words.ts'

/** Which runs are kept in full and how others are: said before any goes. Nothing where all are kept for good, and while it is not known. */
export function RetentionLine() {
  const { data } = useQuery({
    queryKey: ['retention'],
    queryFn: ({ signal }): Promise<RunRetention> => call(calls.quant.retention, undefined, { signal }),
    staleTime: 60_000,
  })
  const words = data && retentionWords(data)
  if (!words) return null
  return <p className="body note">{words}</p>
}

import { calls } from '@convexa/contract/calls'
import type { MarketId } from '@convexa/contract/enums/market'
import { call } from '../../api/client.ts'
import { sentenceOf } from '../../api/messages.ts'

/** What the server says against a formula, with its place (`第 1 行第 9 列：…`); null when it can be computed on the loaded data. */
export const formulaMistake = (kind: MarketId, ref: string, signal: AbortSignal): Promise<string | null> =>
  call(calls[kind].realtimeFactors, { query: { with_values: '1', keys: [ref] } }, { signal }).then(() => null, sentenceOf)

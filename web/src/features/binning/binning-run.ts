import type { BinningResult } from '@convexa/contract/binning'
import { calls } from '@convexa/contract/calls'
import { call } from '../../api/client.ts'
import { createLongQuery } from '../../api/long-query-store.ts'
import type { BinningQuestion } from './binning-form.ts'

/** The binning of each market that is computed, and the last one that was. */
export const binningRuns = createLongQuery<BinningQuestion, BinningResult>((kind, { body }, signal) =>
  call(calls[kind].binning, { body }, { signal }),
)

import type { Ledger } from './ledger.ts'
import type { Rankings } from './rankings.ts'

/**
 * What the report of a run follows from, as bytes and a text in a fixed order: its daily values, fills, positions, and the ranks that they came
 * from. The order and the number of the pieces belong to what the hash over them is compared with: a change of them is a change of the engine.
 */
export function* ledgerBytes(ledger: Ledger, { size, order, bestScore, worstScore }: Rankings): Generator<Uint8Array | string> {
  const { fills, positions } = ledger
  for (const key of ['equity', 'cash', 'before', 'bought', 'sold', 'fees', 'slippage', 'gain', 'signal'] as const)
    yield bytesOf(ledger[key])
  for (const key of [
    'day',
    'security',
    'sold',
    'price',
    'volume',
    'amount',
    'fee',
    'cost',
    'income',
    'opened',
    'closes',
    'ranking',
  ] as const)
    yield bytesOf(fills[key].subarray(0, fills.length))
  for (const key of ['weightFrom', 'weightTo', 'partial'] as const) yield bytesOf(fills[key].subarray(0, fills.length))
  for (const key of ['from', 'to', 'claims'] as const) yield bytesOf(positions[key])
  const entries = positions.to.reduce((most, to) => Math.max(most, to), 0)
  for (const key of ['security', 'units', 'cost', 'price', 'opened', 'added', 'dayIncome', 'income', 'waiting', 'claim'] as const)
    yield bytesOf(positions[key].subarray(0, entries))
  for (const key of [size, order, bestScore, worstScore]) yield bytesOf(key)
  const { capital, leftOutInterest = null, payouts, warnings } = ledger
  yield JSON.stringify([capital, leftOutInterest, payouts, warnings, fills.reason.slice(0, fills.length), [...fills.stops], fills.missed])
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Int32Array | Uint8Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)

/** Bytes of memory that a ledger and its rankings hold. */
export function heldByLedger({ fills, positions }: Ledger, rankings: Rankings): number {
  const { scores, fail, order, weight, normalized } = rankings
  const buffers = new Set<ArrayBufferLike>([fills.day.buffer, positions.security.buffer, scores.buffer, fail.buffer, order.buffer])
  if (weight) buffers.add(weight.buffer)
  for (const values of normalized?.values ?? []) buffers.add(values.buffer)
  return [...buffers].reduce((sum, { byteLength }) => sum + byteLength, 0)
}

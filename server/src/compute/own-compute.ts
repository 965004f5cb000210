import { errorCodes } from '@convexa/contract/enums/error-code'
import { throwApiError, throwValidationError } from '../base/api-error.ts'
import type { Calls, Compute, DataRef } from '../context/compute.ts'
import type { ComputeChild } from './child-handle.ts'
import type { DataFiles, Work } from './protocol.ts'

/** The child as handlers see a worker: for what the worker asks of itself, at nobody's cost. */
export function ownCompute(child: Pick<ComputeChild, 'run'>, filesOf: (data: DataRef) => Promise<DataFiles | null>): Pick<Compute, 'call'> {
  return {
    async call(name, data, input, { deadlineMs, signal }) {
      const files = data && ((await filesOf(data)) ?? throwApiError(errorCodes.noMarketData))
      const deadline = AbortSignal.timeout(deadlineMs)
      const stop = signal ? AbortSignal.any([signal, deadline]) : deadline
      // The pair of name and input is known to match.
      const outcome = await child.run({ files, work: { call: name, input } as Work }, stop)
      if (deadline.aborted) throwApiError(errorCodes.computeTimeout)
      if (!outcome.ok) throwValidationError(outcome)
      return JSON.parse(new TextDecoder().decode(outcome.value as Uint8Array)) as Calls[typeof name]['output']
    },
  }
}

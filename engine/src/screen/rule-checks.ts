import type { Parameters } from '@convexa/contract'
import { stopFields as fieldRows, type StopField, stopTypes } from '@convexa/contract/enums/stop-type'
import { labelOf } from '@convexa/contract/enums/table'

/** What is wrong with a stop method, or null. */
export function wrongStops(method: Parameters['stop_method']): string | null {
  const needs: readonly StopField[] = stopTypes[method.stop_type].fields
  const lacking = needs.filter((key) => method[key] === undefined).map((key) => labelOf(fieldRows, key))
  return lacking.length === 0 ? null : `${labelOf(stopTypes, method.stop_type)}需要填写${lacking.join('和')}`
}

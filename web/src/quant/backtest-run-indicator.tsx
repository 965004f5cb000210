/** The header's word on running backtests; nothing while there is none. */
export function RunIndicator() {
  return null
}

/** The stored report of a run. */
export function ReportPage() {
  return null
}

import type { Report } from '@convexa/contract/report'

/** The engine with which the names of factors got their meaning of now. */
const since = [0, 4] as const

const isBefore = (version: string): boolean => {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major < since[0] || (major === since[0] && minor < since[1])
}

type Told = Pick<Report, 'kind' | 'engine_version' | 'parameters' | 'group' | 'warnings'>

/** A stored report says its rule in the names of its day: told in those of now, which mean what was computed. What tells is fetched for old ones only. */
export async function inNamesOfNow<R extends Told>(report: R): Promise<R> {
  if (!isBefore(report.engine_version)) return report
  const { keptNames } = await import('@convexa/contract/kept-meaning')
  const { kind, parameters, group, warnings } = report
  const { value, told } = keptNames(kind, { ...(parameters && { parameters }), ...(group && { group }) })
  return told.length === 0 ? report : { ...report, ...value, warnings: [...warnings, ...told] }
}

import type { Site } from './site.ts'

/** What a check found. `remedy`: what the operator does about it. */
export interface Finding {
  readonly level: 'ok' | 'note' | 'fault'
  readonly text: string
  readonly remedy?: string
}

export interface CheckUp {
  readonly name: string
  readonly look: (site: Site) => Promise<readonly Finding[]>
}

export const ok = (text: string): Finding => ({ level: 'ok', text })
export const note = (text: string, remedy?: string): Finding => ({ level: 'note', text, ...(remedy !== undefined && { remedy }) })
export const fault = (text: string, remedy?: string): Finding => ({ level: 'fault', text, ...(remedy !== undefined && { remedy }) })

/** The warnings that hold, else the one that all is well. */
export const unless = (wrong: readonly (Finding | false | null)[], fine: string): readonly Finding[] => {
  const found = wrong.filter((each) => each !== false && each !== null)
  return found.length > 0 ? found : [ok(fine)]
}

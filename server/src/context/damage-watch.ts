/** Collects market files that cannot be read. */
export interface DamageWatch {
  /** A reader met wrong files in one of these snapshots. Resolves when they have been looked at; never rejects. */
  suspect(ids: readonly (string | null)[]): Promise<void>
  /** The same of what a reading threw; false: it was no broken snapshot. */
  suspectError(error: unknown): Promise<boolean>
}

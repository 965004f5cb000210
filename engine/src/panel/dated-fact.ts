/** A fact with its days: it holds from the first on, up to but not including the other; null = open on that side. */
export interface DatedFact {
  readonly from: string | null
  readonly to: string | null
  readonly text: string
}

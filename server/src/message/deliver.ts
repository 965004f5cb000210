import type { Purpose } from './texts.ts'

/** One message with its words, ready for a vendor. */
export interface Letter {
  /** The same at every attempt: a vendor that knows it drops the copy. */
  readonly id: string
  readonly to: string
  readonly purpose: Purpose
  readonly code: string | null
  readonly subject: string
  readonly text: string
  /** An earlier attempt was made of which nobody knows the end. */
  readonly maybeSent: boolean
}

/**
 * Hands a letter to a vendor; returns when the vendor has taken it.
 * @throws Undelivered; anything else counts as one that may be tried again
 */
export type Deliver = (letter: Letter) => Promise<void>

/** How an attempt failed. `reason` is the vendor's code or a word of ours: it is logged, so it never holds the number or the text. */
export class DeliveryError extends Error {
  /** `refused`: the same letter will never be taken. `later`: it was not sent, try again. `unclear`: it may have been sent. */
  readonly outcome: 'refused' | 'later' | 'unclear'

  constructor(outcome: DeliveryError['outcome'], reason: string) {
    super(reason)
    this.outcome = outcome
  }
}

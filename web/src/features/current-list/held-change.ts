/** What became of a security of a list that is held: it is new on it, stays, or left. */
export type Change = 'new' | 'hold' | 'out'

const words: Record<Change, string> = { new: '新进', hold: '持有', out: '移出' }
export const changeWords = (change: Change | undefined): string => (change ? words[change] : '')

export interface HeldChange {
  code: string
  name: string
  change: Change
  /** Why, in one sentence; empty of what stays. */
  why: string
}

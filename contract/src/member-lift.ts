/** In the sentence of what only a member may (21001). */
export const memberNeeded = '需要开通会员'
/** In the sentence of a used-up limit that a membership would raise; whoever has one does not hear it. */
export const memberLift = '会员可提升额度'

/**
 * Whether a membership would lift what was refused, by the sentence that was heard. The wire has no other place for it: a failure has no
 * data, and a stream's refusal is a sentence and a code.
 */
export const membershipLifts = (sentence: string): boolean => sentence.includes(memberNeeded) || sentence.includes(memberLift)

/**
 * Why the account and the book of a security cannot both be right: event, ex: the account does not fit what is known of the security; less: it
 * holds less than the books of its configs; unproven: less than the book, and nothing proves that the terminal's list is whole, or it had shown
 * less before; record: the site's record may have what was filled on the day on which it was taken, or not.
 */
export const bookDoubts = ['event', 'ex', 'less', 'unproven', 'record'] as const
export type BookDoubt = (typeof bookDoubts)[number]

/** Doubts that data of the next days usually settle: they are asked after some trading days, all others at once. */
export const passingDoubts: readonly string[] = ['event', 'ex']

/** The most that a config may be said to hold, null: no bound is known. Where the list is what is in doubt, the book may be right. */
export const mostHeld = (why: string, account: number | null, book: number): number | null =>
  account === null ? null : why === 'unproven' ? Math.max(account, book) : account

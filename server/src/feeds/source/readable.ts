/** Rows that cannot be read are left out and told (providers.md 10.6): of prices a few, of lists and announcements as many as there are. */
import { type Asking, FeedError } from '../feed.ts'

/** Rows of prices in one answer that may be unreadable: one, or 2 % if that is more; never all of them. */
export const mayBeUnread = (unread: number, rows: number): boolean => unread < Math.max(rows, 1) && unread <= Math.max(1, 0.02 * rows)

/** Reads rows one by one. @throws FeedError of the first one that cannot be read, where no row can be */
export function readable<T, R>(
  rows: readonly T[],
  read: (row: T) => readonly R[],
  asking: Pick<Asking, 'tell'>,
  mayBe: (unread: number, rows: number) => boolean = (unread, all) => unread < all,
): R[] {
  const faults: FeedError[] = []
  const found = rows.flatMap((row) => {
    try {
      return read(row)
    } catch (error) {
      if (!(error instanceof FeedError) || error.kind !== 'shape') throw error
      faults.push(error)
      return []
    }
  })
  if (faults.length === 0) return found
  if (!mayBe(faults.length, rows.length)) throw faults[0]!
  asking.tell?.(unreadText(faults[0]!.message, faults.length))
  return found
}

export const unreadText = (first: string, count: number): string => `${count} 行无法识别，未采用：${first}`

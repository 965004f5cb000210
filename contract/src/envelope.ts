import { z } from 'zod'
import { whole } from './scalars.ts'

/** The body of every JSON answer. Success is HTTP 200 and code 0, only and always (api.md 0.1). */
export interface Envelope<T> {
  code: number
  msg: string
  data: T
  request_id: string
}

export const page = <T extends z.ZodType>(item: T) =>
  z.object({ total: z.int(), offset: z.int(), limit: z.int(), list_items: z.array(item) })

export interface Page<T> {
  total: number
  offset: number
  limit: number
  list_items: T[]
}

/** Pagination in a query string: `offset` from 0, `limit` 1–100, as text or numbers. */
export const pageQuery = z.object({
  offset: whole(0, 1_000_000).default(0),
  limit: whole(1, 100).default(20),
})

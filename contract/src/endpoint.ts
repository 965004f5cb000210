import type { z } from 'zod'
import type { CallRow } from './call-table.ts'

/** One call of the API as plain data. The server binds a handler to it, the client calls it, OpenAPI and the tests read it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
  Auth extends boolean = boolean,
> extends CallRow<Auth> {
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Shape of the envelope's `data`; of one `success` event for a stream. */
  readonly data: Data
  /**
   * Asked by a program: no login but a key in `X-Api-Key` that may do this, a user's own (`read`, `report`) or the site's for its sources
   * of market data (`feed`); null for every other call.
   */
  readonly scope: 'read' | 'report' | 'feed' | null
  /** Media type of a success that is a file and no envelope; null for every other call. */
  readonly file: string | null
  /** A GET that sends a message: refused to other sites, images, prefetches and HEAD. */
  readonly sends: boolean
  /** The body is multipart with one field `file`, and no `body` is said. */
  readonly multipart: boolean
  /** Largest accepted body in bytes. */
  readonly bodyLimit: number
}

type Optional = 'scope' | 'file' | 'sends' | 'multipart' | 'bodyLimit'

/** A call of the table with its schemas. Most have no key, no file and 256 KiB at most. */
export function endpoint<
  Auth extends boolean,
  Data extends z.ZodType,
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(
  call: CallRow<Auth>,
  given: Omit<Endpoint<Params, Query, Body, Data>, keyof CallRow | Optional> & Partial<Pick<Endpoint, Optional>>,
): Endpoint<Params, Query, Body, Data, Auth> {
  return { ...call, scope: null, file: null, sends: false, multipart: false, bodyLimit: 256 * 1024, ...given }
}

/** The parsed input of an endpoint's handler, and what a client passes to call it. */
export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never
export type DataOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer D> ? z.output<D> : never

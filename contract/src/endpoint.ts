import type { z } from 'zod'

/** One call of the API as plain data. The server binds a handler to it, the client calls it, OpenAPI and the tests read it. */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Data extends z.ZodType = z.ZodType,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `{name}` places, e.g. `/v1/quant/stock/factors/{id}`. */
  readonly path: string
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Shape of the envelope's `data`; of one `success` event for a stream. */
  readonly data: Data
  /** false: the call is answered without a login. */
  readonly auth: boolean
  /**
   * Asked by a program: no login but a key in `X-Api-Key` that may do this, a user's own (`read`, `report`) or the site's for its sources
   * of market data (`feed`); null for every other call.
   */
  readonly scope: 'read' | 'report' | 'feed' | null
  /** Media type of a success that is a file and no envelope; null for every other call. */
  readonly file: string | null
  /** A GET that sends a message: refused to other sites, images, prefetches and HEAD. */
  readonly sends: boolean
  /** Client timeout in seconds (the specification's 5 unless named). 0 for a stream: it has heartbeats instead. */
  readonly timeout: number
  readonly stream: boolean
  /** The body is multipart with one field `file`, and no `body` is said. */
  readonly multipart: boolean
  /** Largest accepted body in bytes. */
  readonly bodyLimit: number
}

type Optional = 'auth' | 'scope' | 'file' | 'sends' | 'multipart' | 'timeout' | 'stream' | 'bodyLimit'

/** Fills in what most calls share: login needed, 5 s, no stream, 256 KiB. */
export function endpoint<
  Data extends z.ZodType,
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(given: Omit<Endpoint<Params, Query, Body, Data>, Optional> & Partial<Pick<Endpoint, Optional>>): Endpoint<Params, Query, Body, Data> {
  const stream = given.stream ?? false
  return {
    auth: true,
    scope: null,
    file: null,
    sends: false,
    multipart: false,
    timeout: stream ? 0 : 5,
    bodyLimit: 256 * 1024,
    ...given,
    stream,
  }
}

/** The parsed input of an endpoint's handler, and what a client passes to call it. */
export type ParamsOf<E> = E extends Endpoint<infer P, z.ZodType, z.ZodType, z.ZodType> ? z.output<P> : never
export type QueryOf<E> = E extends Endpoint<z.ZodType, infer Q, z.ZodType, z.ZodType> ? z.output<Q> : never
export type BodyOf<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.output<B> : never
export type DataOf<E> = E extends Endpoint<z.ZodType, z.ZodType, z.ZodType, infer D> ? z.output<D> : never

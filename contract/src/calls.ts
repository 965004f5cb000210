import type { z } from 'zod'
import type { api } from './api.ts'
import { type CallRow, callTable } from './call-table.ts'
import type { DataOf, Endpoint, ParamsOf, QueryOf } from './endpoint.ts'

/** A call with the type of its endpoint. The shapes are types only, so that zod stays out of a browser's first chunks. */
export interface Call<E = unknown> extends CallRow {
  /** Never set: it carries the endpoint's type. */
  readonly endpoint?: E
}

type Api = typeof api
type Calls = { readonly [Group in keyof Api]: { readonly [Name in keyof Api[Group]]: Call<Api[Group][Name]> } }

type BodyIn<E> = E extends Endpoint<z.ZodType, z.ZodType, infer B, z.ZodType> ? z.input<B> : never
type Part<Key extends string, Shape> = [Shape] extends [never] ? unknown : { readonly [K in Key]: Shape }
type Loose<Shape> = [Shape] extends [never] ? never : Partial<Shape>

/** What is passed to call an endpoint: the parts it has. Query members are optional, the server has defaults. */
export type CallInput<E> = Part<'params', ParamsOf<E>> & Part<'body', BodyIn<E>> & Partial<Part<'query', Loose<QueryOf<E>>>>
export type CallData<E> = DataOf<E>

/** The whole API for a client, by the names of `api`. */
export const calls: Calls = callTable

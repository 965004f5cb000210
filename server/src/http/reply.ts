import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { errors } from '@convexa/contract'
import { errorCodes } from '@convexa/contract/enums/error-code'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type ApiError, toApiError } from '../base/api-error.ts'
import { joined, type Part, unpacked } from './packed-json.ts'

/** Data of an answer that is JSON text already, such as a stored report: it is sent as it is. */
export interface JsonText {
  jsonText: string
}

/** Data of an answer whose parts `packJson` has packed, with texts between them: it is sent packed to clients that take gzip. */
export interface PackedJson {
  packedJson: readonly Part[]
  /** ETag, which changes with the data. The browser may keep the answer and asks each time; an unchanged one is answered by 304. */
  tag?: string
}

/** Data of an answer that is written piece by piece, since the whole may be more than memory should hold. */
export interface JsonParts {
  jsonParts: AsyncIterable<string>
}

/** An answer that is a file and no envelope: of a call whose contract says so. */
export interface SentFile {
  sentFile: Uint8Array
  name: string
  type: string
}

export type Answer<Data> = Data | JsonText | PackedJson | JsonParts | SentFile

export const sentFile = (bytes: Uint8Array, name: string, type: string): SentFile => ({ sentFile: bytes, name, type })

export const jsonText = (text: string): JsonText => ({ jsonText: text })

export const packedJson = (...parts: readonly Part[]): PackedJson => ({ packedJson: parts })

export const jsonParts = (parts: AsyncIterable<string>): JsonParts => ({ jsonParts: parts })

/** Seconds after which to ask again, by status: overload passes; of what is too often without a time (40030) nothing is to be waited for. */
const usualWait: Readonly<Record<number, number>> = { 503: 2, 429: 0 }

export function sendSuccess(request: FastifyRequest, reply: FastifyReply, answer: unknown, log: Logger): FastifyReply {
  if (isJsonParts(answer)) return sendParts(request, reply, answer.jsonParts, log)
  if (isPackedJson(answer)) return sendPacked(request, reply, answer)
  if (isSentFile(answer)) return sendFile(reply, answer)
  return send(reply, 200, envelope(0, errors[0].msg, answer ?? null, request.id))
}

/** Any thrown value as envelope and status. Bugs are logged whole and told as one friendly sentence. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  const failure = toApiError(error)
  request.failureCode = failure.code
  if (failure.code === errorCodes.internal) log.error({ req: request.id, route: request.routeOptions.url, err: error }, 'bug')
  else if (failure.code === errorCodes.busy && failure !== error)
    log.warn({ req: request.id, route: request.routeOptions.url, err: error }, 'database away')
  const wait = failure.retryAfterSeconds ?? usualWait[failure.status] ?? null
  if (wait !== null) reply.header('retry-after', String(wait))
  return send(reply, failure.status, failureText(failure, request.id))
}

export const failureText = (failure: ApiError, requestId: string): string =>
  envelope(failure.code, failure.message, failure.data, requestId)

function envelope(code: number, msg: string, data: unknown, requestId: string): string {
  const body = isJsonText(data) ? data.jsonText : JSON.stringify(data)
  return `{"code":${code},"msg":${JSON.stringify(msg)},"data":${body},"request_id":${JSON.stringify(requestId)}}`
}

export const isJsonParts = (value: unknown): value is JsonParts => typeof value === 'object' && value !== null && 'jsonParts' in value
export const isPackedJson = (value: unknown): value is PackedJson => typeof value === 'object' && value !== null && 'packedJson' in value

/** The client holds this answer: it is sent 304 and nothing else. */
export const held = (tag: string): PackedJson => ({ packedJson: [], tag })
export const isHeld = (answer: unknown): boolean => isPackedJson(answer) && answer.packedJson.length === 0

export const isSentFile = (value: unknown): value is SentFile => typeof value === 'object' && value !== null && 'sentFile' in value

/** Saved and never shown; its SHA-256 goes with it. */
function sendFile(reply: FastifyReply, { sentFile: bytes, name, type }: SentFile): FastifyReply {
  return reply
    .header('content-type', type)
    .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
    .header('x-sha256', createHash('sha256').update(bytes).digest('hex'))
    .send(Buffer.from(bytes))
}

/** What an envelope has before its data and after it. */
const around = (request: FastifyRequest): string[] => envelope(0, errors[0].msg, { jsonText: '\n' }, request.id).split('\n')

/** A failure on the way breaks the connection: half an answer must not look like a whole one. */
function sendParts(request: FastifyRequest, reply: FastifyReply, parts: AsyncIterable<string>, log: Logger): FastifyReply {
  const [before = '', after = ''] = around(request)
  async function* whole() {
    try {
      yield before
      yield* parts
      yield after
    } catch (error) {
      if (!request.raw.destroyed) log.error({ req: request.id, route: request.routeOptions.url, err: error }, 'answer broke off')
      throw error
    }
  }
  return reply.header('content-type', 'application/json; charset=utf-8').send(Readable.from(whole(), { objectMode: false }))
}

function sendPacked(request: FastifyRequest, reply: FastifyReply, { packedJson: packed, tag }: PackedJson): FastifyReply {
  const [before = '', after = ''] = around(request)
  const parts = [before, ...packed, after]
  reply.header('vary', 'accept-encoding').header('content-type', 'application/json; charset=utf-8')
  if (tag !== undefined) {
    // Weak: each answer has a request id of its own.
    reply.header('etag', `W/"${tag}"`).header('cache-control', 'private, no-cache')
    if (hasTag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  }
  const whole = takesGzip(request.headers['accept-encoding']) ? joined(parts) : null
  return whole ? reply.header('content-encoding', 'gzip').send(whole) : reply.send(unpacked(parts))
}

/** JSON that is no envelope and stays the same. */
export function sendLasting(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { text, gzip, tag }: { readonly text: string; readonly gzip: Buffer; readonly tag: string },
): FastifyReply {
  reply.headers({
    vary: 'accept-encoding',
    etag: `W/"${tag}"`,
    'cache-control': 'no-cache',
    'content-type': 'application/json; charset=utf-8',
  })
  if (hasTag(headers['if-none-match'], tag)) return reply.code(304).send()
  return takesGzip(headers['accept-encoding']) ? reply.header('content-encoding', 'gzip').send(gzip) : reply.send(text)
}

/** `W/"a", "b"`; `*` stands for any. */
export const hasTag = (given: string | undefined, tag: string): boolean =>
  (given ?? '').split(',').some((one) => one.trim() === '*' || one.trim().replace(/^W\//, '') === `"${tag}"`)

/** `gzip, deflate, br`; `gzip;q=0` refuses it. */
const takesGzip = (accepted: string | string[] | undefined): boolean =>
  String(accepted ?? '')
    .split(',')
    .some((one) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(one))

const isJsonText = (value: unknown): value is JsonText => typeof value === 'object' && value !== null && 'jsonText' in value

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
}

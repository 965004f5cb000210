import { errors } from '@convexa/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Failure, failureOf } from './fail.ts'

/** Data of an answer that is JSON text already, such as a stored report: it is sent as it is. */
export interface JsonText {
  jsonText: string
}

export type Answer<Data> = Data | JsonText

export const jsonText = (text: string): JsonText => ({ jsonText: text })

export function sendSuccess(request: FastifyRequest, reply: FastifyReply, answer: unknown): FastifyReply {
  return send(reply, 200, envelope(0, errors[0].msg, answer ?? null, request.id))
}

/** Any thrown value as envelope and status. Bugs are logged whole and told as one friendly sentence. */
export function sendFailure(request: FastifyRequest, reply: FastifyReply, error: unknown, log: Logger): FastifyReply {
  const failure = failureOf(error)
  if (failure.code === 50000) log.error({ req: request.id, route: request.routeOptions.url, err: error }, 'bug')
  else if (failure.code === 50301 && failure !== error)
    log.warn({ req: request.id, route: request.routeOptions.url, err: error }, 'database away')
  const wait = failure.retryAfterSeconds ?? (failure.status === 503 ? 2 : null)
  if (wait !== null) reply.header('retry-after', String(wait))
  return send(reply, failure.status, failureText(failure, request.id))
}

export const failureText = (failure: Failure, requestId: string): string => envelope(failure.code, failure.message, failure.data, requestId)

function envelope(code: number, msg: string, data: unknown, requestId: string): string {
  const body = isJsonText(data) ? data.jsonText : JSON.stringify(data)
  return `{"code":${code},"msg":${JSON.stringify(msg)},"data":${body},"request_id":${JSON.stringify(requestId)}}`
}

const isJsonText = (value: unknown): value is JsonText => typeof value === 'object' && value !== null && 'jsonText' in value

function send(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(body)
}

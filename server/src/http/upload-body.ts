import type { IncomingMessage } from 'node:http'
import { errorCodes } from '@convexa/contract/enums/error-code'
import fastifyMultipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ApiError, apiError, throwApiError } from '../base/api-error.ts'

/** Routes of `register` take multipart bodies of one file and nothing else; all other routes go on refusing them. */
export async function acceptUploads(app: FastifyInstance, mostBytes: number, register: (scope: FastifyInstance) => void): Promise<void> {
  await app.register(async (scope) => {
    const limits = { fileSize: mostBytes, files: 1, fields: 0, parts: 1, headerPairs: 16, fieldNameSize: 64 }
    await scope.register(fastifyMultipart, { limits, throwFileSizeLimit: true })
    register(scope)
  })
}

/**
 * The one file of a multipart body, field `file`. Its name, its type and further headers are not looked at: they are whatever a sender says.
 * @throws ApiError 11031 too large; 40015, 40001, 40000 no such body
 */
export async function fileOf(request: FastifyRequest, reply: FastifyReply, mostBytes: number): Promise<Buffer> {
  // Closes the connection: the rest of a body that is not read to its end would stand before the next request.
  reply.header('connection', 'close')
  try {
    const file = await readFileOf(request, mostBytes)
    reply.removeHeader('connection')
    return file
  } catch (error) {
    await discardRest(request.raw, 2 * mostBytes)
    throw error
  }
}

const lingerMs = 1_000

/**
 * Reads on for so many bytes, for a second at most, and throws them away (lingering close): a connection that is closed while its body
 * still comes is reset, and the sender would lose the answer.
 */
async function discardRest(body: IncomingMessage, mostBytes: number): Promise<void> {
  if (body.readableEnded || body.destroyed) return
  await new Promise<void>((resolve) => {
    let left = mostBytes
    const timer = setTimeout(resolve, lingerMs).unref()
    body.on('data', ({ length }: Buffer) => {
      left -= length
      if (left < 0) resolve()
    })
    for (const event of ['end', 'close', 'error']) body.once(event, () => resolve())
    body.once('close', () => clearTimeout(timer))
    body.resume()
  })
}

async function readFileOf(request: FastifyRequest, mostBytes: number): Promise<Buffer> {
  if (!request.isMultipart()) throwApiError(errorCodes.unsupportedMediaType)
  if (Number(request.headers['content-length'] ?? 0) > mostBytes) throwApiError(errorCodes.imageTooLarge)
  let file: Buffer | null = null
  try {
    for await (const part of request.parts()) {
      if (part.type !== 'file' || part.fieldname !== 'file' || file) throwApiError(errorCodes.invalidRequest, '需要一个文件')
      // An endless body is stopped at the limit, not at its end.
      const tooLarge = new Promise<never>((_, reject) => part.file.once('limit', () => reject(apiError(errorCodes.imageTooLarge))))
      file = await Promise.race([part.toBuffer(), tooLarge])
    }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw apiError((error as { code?: unknown }).code === 'FST_REQ_FILE_TOO_LARGE' ? errorCodes.imageTooLarge : errorCodes.malformedRequest)
  }
  if (!file) throwApiError(errorCodes.invalidRequest, '需要一个文件')
  return file
}

import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'
import { errors } from './errors.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

/** What a member that is left out counts as. zod tells no default of a member whose text is made a number first. */
function defaultOf(member: z.core.$ZodType | undefined): Json {
  const left = member && z.safeParse(member, undefined)
  return left?.data === undefined ? {} : { default: left.data }
}

/** Members of an object schema as OpenAPI parameters. */
function parametersOf(schema: z.ZodType | undefined, place: 'path' | 'query'): Json[] {
  if (!schema) return []
  const object = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
  const members = schema instanceof z.ZodObject ? schema.shape : {}
  return Object.entries(object.properties ?? {}).map(([name, member]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    schema: { ...member, ...defaultOf(members[name]) },
  }))
}

const failure = {
  description: 'Failure: a non-200 status and a non-zero code with a Chinese sentence; data is null.',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
}

const multipart = {
  'multipart/form-data': {
    schema: { type: 'object', properties: { file: { type: 'string', format: 'binary' } }, required: ['file'] },
  },
}

/** The API as an OpenAPI 3.1 document. */
export function openapi(endpoints: readonly Endpoint[], title: string, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const e of endpoints) {
    const data = schemaOf(e.data, 'output')
    const success = e.file
      ? { [e.file]: { schema: { type: 'string', format: 'binary' } } }
      : e.stream
        ? { 'text/event-stream': { schema: { type: 'string', description: '`data: kind=payload` lines', 'x-event': data } } }
        : {
            'application/json': {
              schema: {
                type: 'object',
                properties: { code: { const: 0 }, msg: { type: 'string' }, data, request_id: { type: 'string' } },
                required: ['code', 'msg', 'data', 'request_id'],
              },
            },
          }
    const at = paths[e.path] ?? {}
    paths[e.path] = at
    at[e.method.toLowerCase()] = {
      summary: e.summary,
      security: e.auth ? [{ accessToken: [] }] : e.scope ? [{ apiKey: [] }] : [],
      parameters: [...parametersOf(e.params, 'path'), ...parametersOf(e.query, 'query')],
      ...(e.multipart ? { requestBody: { required: true, content: multipart } } : {}),
      ...(e.body ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(e.body, 'input') } } } } : {}),
      responses: { 200: { description: 'code 0', content: success }, default: failure },
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version },
    paths,
    components: {
      securitySchemes: {
        accessToken: { type: 'apiKey', in: 'header', name: 'Access-Token' },
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
      schemas: {
        Failure: {
          type: 'object',
          properties: {
            code: { type: 'integer', enum: Object.keys(errors).map(Number).filter(Boolean) },
            msg: { type: 'string' },
            data: {},
            request_id: { type: 'string' },
          },
          required: ['code', 'msg', 'data', 'request_id'],
        },
      },
    },
  }
}

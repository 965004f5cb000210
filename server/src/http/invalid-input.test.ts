import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints, fieldLabels } from '@convexa/contract'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { invalid } from './invalid-input.ts'

/** Outside of the quotation marks that say "as it was given". */
const asciiWord = /[a-z_]{2,}/
const unquoted = (sentence: string) => sentence.replace(/「[^」]*」/g, '')
const parts = endpoints.flatMap((endpoint) =>
  (['params', 'query', 'body'] as const).flatMap((part) => {
    const schema = endpoint[part]
    return schema instanceof z.ZodType && !(schema instanceof z.ZodNever)
      ? [{ name: `${endpoint.method} ${endpoint.path} ${part}`, schema }]
      : []
  }),
)

/** Every name below a schema, each with its place. */
function* namesIn(schema: z.core.$ZodType, path: string[] = []): Generator<string[]> {
  const def = schema._zod.def as unknown as Record<string, unknown> & { type: string }
  const inner = [def['element'], def['innerType'], def['in'], def['valueType'], ...((def['options'] ?? def['items'] ?? []) as unknown[])]
  for (const [name, below] of Object.entries((def['shape'] ?? {}) as Record<string, z.core.$ZodType>)) {
    yield [...path, name]
    yield* namesIn(below, [...path, name])
  }
  for (const below of inner) if (below) yield* namesIn(below as z.core.$ZodType, path)
}

test('every field of every call has a name in Chinese', () => {
  const names = new Set(parts.flatMap(({ schema }) => [...namesIn(schema)].map((path) => path.at(-1) ?? '')))
  expect(names.size).toBeGreaterThan(150)
  expect([...names].filter((name) => !Object.hasOwn(fieldLabels, name))).toEqual([])
  expect(Object.values(fieldLabels).filter((label) => asciiWord.test(label))).toEqual([])
})

test('of no call a missing, a wrong or an unknown field is named by its key', () => {
  const said = new Set<string>()
  const ask = (schema: z.ZodType, given: unknown) => {
    const parsed = schema.safeParse(given)
    if (!parsed.success) said.add(invalid(parsed.error.issues).message)
  }
  for (const { schema } of parts) {
    for (const given of [undefined, null, [], 'x', {}, { __unknown_key: 1 }]) ask(schema, given)
    for (const path of namesIn(schema))
      for (const wrong of [{ a: {} }, [[]]])
        ask(
          schema,
          path.reduceRight<unknown>((below, name) => ({ [name]: below }), wrong),
        )
  }
  expect(said.size).toBeGreaterThan(80)
  expect([...said].filter((message) => asciiWord.test(unquoted(message)))).toEqual([])
})

test.each([
  [{ list: [1, '2'] }, '请求参数有误：「list」第 2 项'],
  [{ email: 1 }, '请求参数有误：邮箱'],
  [{}, '请求参数有误：缺少名单'],
  [{ list_items: [{ weight: 'x' }] }, '请求参数有误：名单第 1 项的权重'],
  [{ list_items: [], is_admin: true }, '请求参数有误：不认识的字段「is_admin」'],
])('%j: %s', (given, message) => {
  const schema = z.strictObject({
    list_items: z.array(z.object({ weight: z.number() })),
    list: z.array(z.number()).optional(),
    email: z.string().optional(),
  })
  const { error } = 'list' in given || 'email' in given ? schema.partial().safeParse(given) : schema.safeParse(given)
  expect(invalid(error?.issues ?? [])).toMatchObject({ code: 40000, message })
})

test('no refusal in our sources names a place by its key', () => {
  const src = join(import.meta.dirname, '..')
  const found = globSync('**/*.ts', { cwd: src }).flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/\bfail\(\d{5}, '([a-z_.]+)'/g)].map(([call]) => `${file}: ${call}`),
  )
  expect(found).toEqual([])
})

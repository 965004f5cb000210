import fc from 'fast-check'
import { z } from 'zod'

// Requests that are nearly right: of a schema's shape, with the words of the domain in its texts, and now and then something that is wrong.

interface Json {
  type?: string
  properties?: Record<string, Json>
  required?: string[]
  anyOf?: Json[]
  items?: Json
  prefixItems?: Json[]
  minItems?: number
  maxItems?: number
  enum?: unknown[]
  const?: unknown
  pattern?: string
  minimum?: number
  maximum?: number
}

const words = [
  ...[
    'close',
    'conv_prem',
    'dblow',
    'bias_20',
    'ytm',
    'rating',
    'custom_abcdef',
    '双低',
    'formula: close',
    'formula: ts_rank(close, 20) / 0',
  ],
  ...[
    'formula: cs_rank(转股溢价率) + ema(close, 5)',
    'formula: close +',
    'formula: ref(close, -1)',
    'formula:',
    'formula: x := close; x > 1 ? x : 0',
  ],
  ...['900001.DM', '800001.DM', '123456.SZ', '2022-06-30', '2022-06-26', '1999-01-04', '2022-13-45', 'convexa', 'AA+', 'all', 'custom'],
  ...['', ' ', '\u0000', '\ud800', '__proto__', 'constructor', "'; drop table custom_factor; --", '𠮷'.repeat(60), '1e999', '-1', 'NaN'],
]
const text = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)
const date = fc.constantFrom('2022-06-30', '2022-06-30', '2022-10-04', '2022-01-04', '2022-12-30', '2099-01-01', '2022-02-30', '')
const wrong = fc.oneof(fc.constantFrom<unknown>(null, -1, 1e308, 0.5, true, [], {}, ''), text, fc.jsonValue({ maxDepth: 2 }))

/** Values of a zod schema's input; about one place in forty holds something else. */
export function valuesOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  return ofJson(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Json)
}

const ofJson = (json: Json): fc.Arbitrary<unknown> => fc.oneof({ weight: 39, arbitrary: rightOf(json) }, { weight: 1, arbitrary: wrong })

function rightOf(json: Json): fc.Arbitrary<unknown> {
  if (json.const !== undefined) return fc.constant(json.const)
  if (json.enum) return fc.constantFrom(...json.enum)
  if (json.anyOf) return fc.oneof(...json.anyOf.map(ofJson))
  if (json.properties) {
    const members = Object.fromEntries(Object.entries(json.properties).map(([key, member]) => [key, ofJson(member)]))
    return fc.record(members, { requiredKeys: json.required ?? [] })
  }
  if (json.prefixItems) return fc.tuple(...json.prefixItems.map(ofJson))
  if (json.type === 'array') {
    return fc.array(ofJson(json.items ?? {}), { minLength: json.minItems ?? 0, maxLength: Math.min(4, json.maxItems ?? 4) })
  }
  if (json.type === 'boolean') return fc.boolean()
  if (json.type === 'integer') return fc.integer({ min: bound(json.minimum, 0), max: bound(json.maximum, 30) })
  if (json.type === 'number') return fc.double({ min: bound(json.minimum, -2), max: bound(json.maximum, 200), noNaN: true })
  if (json.type === 'string') return json.pattern?.includes('\\d{4}-') ? date : text
  return fc.constant(null)
}

const bound = (given: number | undefined, otherwise: number): number =>
  given === undefined || Math.abs(given) > 1_000_000 ? otherwise : given

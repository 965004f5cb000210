import { text } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { joined, packJson, packJsonNow, unpacked } from './packed-json.ts'

test('what is packed is gzip of the JSON, and reads inside an envelope as one member', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.string(), async (value, before, after) => {
      const packed = await packJson(value)
      expect(gunzipSync(packed).toString()).toBe(JSON.stringify(value))
      const whole = joined([before, packed, after])!
      expect(gunzipSync(whole).equals(Buffer.from(before + JSON.stringify(value) + after))).toBe(true)
      // One member: nothing follows the first trailer.
      expect(whole.readUInt32LE(whole.length - 4)).toBe(Buffer.byteLength(before + JSON.stringify(value) + after))
    }),
  )
})

test('a text of megabytes', async () => {
  const value = Array.from({ length: 300_000 }, (_, i) => ({ i, sine: Math.sin(i) }))
  const packed = await packJson(value)
  expect(gunzipSync(joined(['{"data":', packed, '}'])!).toString()).toBe(`{"data":${JSON.stringify(value)}}`)
  expect(await text(unpacked(['{"data":', packed, '}']))).toBe(`{"data":${JSON.stringify(value)}}`)
})

test('texts of any length around it', async () => {
  const packed = await packJson({ a: 1 })
  for (const length of [65_534, 65_535, 65_536, 65_537, 131_070, 200_000]) {
    const [before, after] = ['前'.repeat(length / 3) + 'x'.repeat(length % 3), 'y'.repeat(length)]
    expect(gunzipSync(joined([before, packed, after])!).equals(Buffer.from(`${before}{"a":1}${after}`))).toBe(true)
  }
})

test('gzip of another hand is not put into an envelope, but can be opened', async () => {
  const packed = gzipSync('{"a":1}')
  expect(joined(['[', packed, ']'])).toBeNull()
  expect(await text(unpacked(['[', packed, ']']))).toBe('[{"a":1}]')
})

test('members of several packed texts become one object, whatever their lengths', async () => {
  const first = { factors: ['价', 'x'.repeat(70_000)] }
  const second = { values: Array.from({ length: 5_000 }, (_, i) => i / 7) }
  const parts = [
    '{"code":0,"data":{"factors":',
    await packJson(first.factors),
    ',',
    packJsonNow(second, 'members'),
    ',"request_id":"',
    '',
    'r"}',
  ]
  const wanted = JSON.stringify({ code: 0, data: { ...first, ...second }, request_id: 'r' })
  expect(gunzipSync(joined(parts)!).toString()).toBe(wanted)
  expect(await text(unpacked(parts))).toBe(wanted)
})

import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, crc32, createGunzip, gzip, gzipSync } from 'node:zlib'
import type { Packing } from '../context/compute.ts'

// What a worker has made, a stored report or the answer of a screen, is sent as it was compressed there, inside an envelope, without
// opening it. Browsers read one gzip member of an answer and leave the next ones out, so the parts must become one: a text is packed in
// blocks of which none is the last, which lets blocks before and after it join the same member (RFC 1951, 3.2.3; RFC 1952, 2.3).

/** gzip's own: no name, no time, no system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The mark of a flush, then the last block, which is empty. By these a text that was packed here is known. */
const seam = Buffer.from([0, 0, 0xff, 0xff, 1, 0, 0, 0xff, 0xff])
const lastBlock = 5
const trailer = 8

/**
 * A value → JSON → gzip that `joined` can put something around; any other reader of gzip reads it too. Level 4: a tenth of the time of
 * the default for the same size. The text is written before this returns, and packed by a thread of Node's pool.
 */
export async function packJson(value: unknown, packing: Packing = 'whole'): Promise<Buffer> {
  const text = textOf(value, packing)
  return withEnd(await gzipped(text, { ...flushed, level: 4 }), text)
}

/** The same at once and at the cheapest level, for an answer that is sent and not kept. */
export function packJsonNow(value: unknown, packing: Packing = 'whole'): Buffer {
  const text = textOf(value, packing)
  return withEnd(gzipSync(text, { ...flushed, level: 1 }), text)
}

const gzipped = promisify(gzip)
const flushed = { finishFlush: constants.Z_SYNC_FLUSH } as const

const textOf = (value: unknown, packing: Packing): Buffer => {
  const json = JSON.stringify(value)
  return Buffer.from(packing === 'members' ? json.slice(1) : json)
}

const withEnd = (blocks: Buffer, text: Buffer): Buffer =>
  Buffer.concat([blocks, seam.subarray(-lastBlock), trailerOf(crc32(text), text.length)])

/** A part of an answer: text, or what was packed here. */
export type Part = string | Uint8Array

/** Texts and packed texts behind one another as one gzip member; null where one of them was packed elsewhere. */
export function joined(parts: readonly Part[]): Buffer | null {
  const blocks: Buffer[] = [header]
  let crc = 0
  let length = 0
  for (const part of parts) {
    const found = typeof part === 'string' ? plain(part) : opened(part)
    if (!found) return null
    blocks.push(found.blocks)
    crc = crcOfBoth(crc, found.crc, found.length)
    length += found.length
  }
  return Buffer.concat([...blocks, seam.subarray(-lastBlock), trailerOf(crc, length)])
}

interface Blocks {
  /** None of them the last. */
  readonly blocks: Buffer
  readonly crc: number
  readonly length: number
}

function plain(text: string): Blocks {
  const bytes = Buffer.from(text)
  return { blocks: plainBlocks(bytes), crc: crc32(bytes), length: bytes.length }
}

function opened(packed: Uint8Array): Blocks | null {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const end = bytes.length - trailer
  if (end < header.length + seam.length || !bytes.subarray(end - seam.length, end).equals(seam)) return null
  return { blocks: bytes.subarray(header.length, end - lastBlock), crc: bytes.readUInt32LE(end), length: bytes.readUInt32LE(end + 4) }
}

/** The same as plain text, opened piece by piece. */
export function unpacked(parts: readonly Part[]): Readable {
  return Readable.from(pieces(parts), { objectMode: false })
}

async function* pieces(parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (typeof part === 'string') yield Buffer.from(part)
    else {
      const gunzip = createGunzip()
      gunzip.end(part)
      for await (const piece of gunzip) yield piece as Buffer
    }
  }
}

/** What a block of plain bytes holds. */
const mostPlain = 65_535

/** Bytes as they are, in as many blocks as they need. */
function plainBlocks(bytes: Buffer): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += mostPlain) blocks.push(plainBlock(bytes.subarray(at, at + mostPlain)))
  return Buffer.concat(blocks)
}

function plainBlock(bytes: Buffer): Buffer {
  const start = Buffer.alloc(5)
  start.writeUInt16LE(bytes.length, 1)
  start.writeUInt16LE(~bytes.length & 0xffff, 3)
  return Buffer.concat([start, bytes])
}

function trailerOf(crc: number, length: number): Buffer {
  const bytes = Buffer.alloc(trailer)
  bytes.writeUInt32LE(crc >>> 0, 0)
  bytes.writeUInt32LE(length >>> 0, 4)
  return bytes
}

/** The polynomial of CRC-32, the bits of a byte reversed. */
const polynomial = 0xedb88320

/** The CRC-32 of a text and another of `length` bytes behind it, from theirs: that of the first is moved over so many zeros (zlib's crc32_combine). */
const crcOfBoth = (first: number, second: number, length: number): number => (product(powerOf(length), first) ^ second) >>> 0

/** Product of two polynomials modulo that of CRC-32; the highest bit stands for 1. */
function product(a: number, b: number): number {
  let sum = 0
  for (let bit = 0x80000000; bit !== 0; bit >>>= 1) {
    if (a & bit) sum ^= b
    b = b & 1 ? (b >>> 1) ^ polynomial : b >>> 1
  }
  return sum >>> 0
}

/** x^(8n): a byte of zeros n times, by squares. */
function powerOf(bytes: number): number {
  let power = 0x80000000
  // x^8
  for (let square = 0x00800000, left = bytes; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = product(square, power)
    square = product(square, square)
  }
  return power
}

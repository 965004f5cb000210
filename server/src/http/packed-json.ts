import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, crc32, createGunzip, gzip } from 'node:zlib'

// A report is stored compressed and sent as it is stored, inside an envelope, without opening it. Browsers read one gzip member of an
// answer and leave the next ones out, so the three parts must become one: the stored text is packed in blocks of which none is the last,
// which lets blocks before and after it join the same member (RFC 1951, 3.2.3; RFC 1952, 2.3).

/** gzip's own: no name, no time, no system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The mark of a flush, then the last block, which is empty. By these a text that was packed here is known. */
const seam = Buffer.from([0, 0, 0xff, 0xff, 1, 0, 0, 0xff, 0xff])
const lastBlock = 5
const trailer = 8

/**
 * A value → JSON → gzip that `enveloped` can put something around; any other reader of gzip reads it too. Level 4: a tenth of the time of
 * the default for the same size. The text is written before this returns, and packed by a thread of Node's pool.
 */
export function packJson(value: unknown): Promise<Buffer> {
  return pack(JSON.stringify(value))
}

/** An object without its first brace, packed likewise: `enveloped('{"more":1,', …)` puts members before its own. */
export function packMembers(value: object): Promise<Buffer> {
  return pack(JSON.stringify(value).slice(1))
}

const gzipped = promisify(gzip)

async function pack(json: string): Promise<Buffer> {
  const text = Buffer.from(json)
  const blocks = await gzipped(text, { level: 4, finishFlush: constants.Z_SYNC_FLUSH })
  return Buffer.concat([blocks, seam.subarray(-lastBlock), trailerOf(crc32(text), text.length)])
}

/** `before` + the packed text + `after` as one gzip member; null for what `packJson` did not make. */
export function enveloped(before: string, packed: Uint8Array, after: string): Buffer | null {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  const end = bytes.length - trailer
  if (end < header.length + seam.length || !bytes.subarray(end - seam.length, end).equals(seam)) return null
  const [head, tail] = [Buffer.from(before), Buffer.from(after)]
  const length = bytes.readUInt32LE(end + 4)
  const crc = crc32(tail, crcOfBoth(crc32(head), bytes.readUInt32LE(end), length))
  return Buffer.concat([
    header,
    plainBlocks(head, false),
    bytes.subarray(header.length, end - lastBlock),
    plainBlocks(tail, true),
    trailerOf(crc, head.length + length + tail.length),
  ])
}

/** The same as plain text, opened piece by piece. */
export function unpacked(before: string, packed: Uint8Array, after: string): Readable {
  return Readable.from(parts(before, packed, after), { objectMode: false })
}

async function* parts(before: string, packed: Uint8Array, after: string): AsyncGenerator<Buffer> {
  yield Buffer.from(before)
  const opened = createGunzip()
  opened.end(packed)
  for await (const part of opened) yield part as Buffer
  yield Buffer.from(after)
}

/** Bytes as they are, in as many blocks as they need; without any bytes one block that is empty. */
function plainBlocks(bytes: Buffer, last: boolean): Buffer {
  const blocks: Buffer[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += mostPlain) {
    blocks.push(plainBlock(bytes.subarray(at, at + mostPlain), last && at + mostPlain >= bytes.length))
  }
  return Buffer.concat(blocks)
}

/** What a block of plain bytes holds. */
const mostPlain = 65_535

function plainBlock(bytes: Buffer, last: boolean): Buffer {
  const start = Buffer.alloc(5)
  start.writeUInt8(last ? 1 : 0, 0)
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

const zeros = Buffer.alloc(1024 * 1024)

/** The CRC-32 of a text and another of `length` bytes after it, from theirs: a CRC is linear, so the second may be zeros first and be put in after. */
function crcOfBoth(first: number, second: number, length: number): number {
  return (overZeros(first, length) ^ overZeros(0, length) ^ second) >>> 0
}

function overZeros(crc: number, length: number): number {
  let result = crc
  for (let at = 0; at < length; at += zeros.length) result = crc32(zeros.subarray(0, Math.min(zeros.length, length - at)), result)
  return result
}

/** A file of an archive. */
export interface ZipEntry {
  name: string
  text: string
}

/**
 * A ZIP archive (APPNOTE 6.3.3, no extensions), packed by the browser's own deflate. Libraries pack large files in a worker made of a
 * text, which the page's policy forbids.
 */
export async function zipOf(entries: readonly ZipEntry[], type: string): Promise<Blob> {
  const files = await Promise.all(entries.map(packedOf))
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const file of files) {
    const head = headOf(file, null)
    parts.push(head, file.name, file.packed)
    directory.push(headOf(file, at), file.name)
    at += head.length + file.name.length + file.packed.length
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0)
  return new Blob([...parts, ...directory, endOf(files.length, size, at)] as BlobPart[], { type })
}

interface Packed {
  name: Uint8Array
  packed: Uint8Array
  size: number
  sum: number
}

async function packedOf({ name, text }: ZipEntry): Promise<Packed> {
  const bytes = new TextEncoder().encode(text)
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'))
  const packed = new Uint8Array(await new Response(stream).arrayBuffer())
  return { name: new TextEncoder().encode(name), packed, size: bytes.length, sum: crc32(bytes) }
}

/** A file's own head, or with its place its line of the directory. */
function headOf({ name, packed, size, sum }: Packed, at: number | null): Uint8Array {
  const central = at !== null
  const head = new DataView(new ArrayBuffer(central ? 46 : 30))
  let place = 0
  const two = (value: number) => {
    head.setUint16(place, value, true)
    place += 2
  }
  const four = (value: number) => {
    head.setUint32(place, value, true)
    place += 4
  }
  four(central ? 0x02014b50 : 0x04034b50)
  if (central) two(20)
  two(20)
  // Names are UTF-8; deflate; no time: 1980-01-01.
  two(0x0800)
  two(8)
  two(0)
  two(0x21)
  four(sum)
  four(packed.length)
  four(size)
  two(name.length)
  two(0)
  if (central) {
    two(0)
    two(0)
    two(0)
    four(0)
    four(at)
  }
  return new Uint8Array(head.buffer)
}

function endOf(count: number, size: number, at: number): Uint8Array {
  const end = new DataView(new ArrayBuffer(22))
  end.setUint32(0, 0x06054b50, true)
  end.setUint16(8, count, true)
  end.setUint16(10, count, true)
  end.setUint32(12, size, true)
  end.setUint32(16, at, true)
  return new Uint8Array(end.buffer)
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

export function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff
  for (let i = 0; i < bytes.length; i++) sum = (table[(sum ^ (bytes[i] as number)) & 0xff] as number) ^ (sum >>> 8)
  return (sum ^ 0xffffffff) >>> 0
}

/** Bytes of a double. */
const width = 8
/** The order of bytes of the format, whatever the machine's. */
const one = new DataView(new ArrayBuffer(width))

/**
 * Columns of doubles of one length as planes of bytes: the first bytes of all values of a column, then their second ones, and so on. The
 * leading bytes of values that move slowly repeat, which a packer finds only where they stand together.
 */
export function planesOf(columns: readonly Float64Array[]): Uint8Array {
  const rows = columns[0]?.length ?? 0
  const planes = new Uint8Array(width * rows * columns.length)
  for (const [c, column] of columns.entries()) {
    const start = width * rows * c
    for (let row = 0; row < rows; row++) {
      one.setFloat64(0, column[row]!)
      for (let byte = 0; byte < width; byte++) planes[start + byte * rows + row] = one.getUint8(byte)
    }
  }
  return planes
}

/** @throws RangeError the planes are not those of so many rows */
export function columnsOf(planes: Uint8Array, rows: number): Float64Array[] {
  const count = rows === 0 ? 0 : planes.length / (width * rows)
  if (!Number.isInteger(count)) throw new RangeError(`${planes.length} bytes are no columns of ${rows} rows`)
  return Array.from({ length: count }, (_, c) => {
    const start = width * rows * c
    return Float64Array.from({ length: rows }, (_, row) => {
      for (let byte = 0; byte < width; byte++) one.setUint8(byte, planes[start + byte * rows + row]!)
      return one.getFloat64(0)
    })
  })
}

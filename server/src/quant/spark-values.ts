/** Units of a net value of 1. */
const unit = 1_000

/** The net value of a run in short as numbers: stored as uint16 in thousandths, little-endian. */
export function sparkValues(bytes: Buffer | null): number[] | null {
  if (bytes === null) return null
  return Array.from({ length: bytes.length >> 1 }, (_, k) => bytes.readUInt16LE(2 * k) / unit)
}

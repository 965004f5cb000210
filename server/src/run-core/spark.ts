/** Points of a spark line: 128 bytes. */
const points = 64
/** A net value of 1 in units of the line; it reaches from 0 to 65.535. */
const unit = 1_000

/** A net value in short, for a line in a list: at so many days, evenly spread, as uint16 in thousandths (little-endian). */
export function sparkOf(nav: Float64Array): Uint8Array {
  const count = Math.min(points, nav.length)
  const bytes = new Uint8Array(2 * count)
  const view = new DataView(bytes.buffer)
  for (let k = 0; k < count; k++) {
    const value = nav[count === 1 ? 0 : Math.round((k * (nav.length - 1)) / (count - 1))] ?? 0
    view.setUint16(2 * k, Math.min(65_535, Math.max(0, Math.round(value * unit))), true)
  }
  return bytes
}

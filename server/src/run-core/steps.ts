const one = new DataView(new ArrayBuffer(8))

const bitsOfDouble = (value: number): bigint => {
  one.setFloat64(0, value)
  return one.getBigInt64(0)
}
const doubleOfBits = (bits: bigint): number => {
  one.setBigInt64(0, bits)
  return one.getFloat64(0)
}

/** What a value of a column is likely to be; `values` holds those before it. */
export type Expected = (row: number, values: Float64Array) => number

/** Which NaN an operation gives is the machine's business. */
const definite = (value: number): number => (Number.isNaN(value) ? 0 : value)

/**
 * A column as how far each value is from what was expected of it, in steps between neighbouring doubles (zigzag, seven bits in a byte, the
 * lowest first): where the expectation is off by rounding alone, a value is one byte.
 */
export function stepsOf(values: Float64Array, expected: Expected): Uint8Array {
  const bytes: number[] = []
  for (let row = 0; row < values.length; row++) {
    const step = BigInt.asIntN(64, bitsOfDouble(values[row]!) - bitsOfDouble(definite(expected(row, values))))
    let rest = BigInt.asUintN(64, (step << 1n) ^ (step >> 63n))
    while (rest > 127n) {
      bytes.push(Number(rest & 127n) | 128)
      rest >>= 7n
    }
    bytes.push(Number(rest))
  }
  return Uint8Array.from(bytes)
}

/** @throws RangeError the steps are not those of so many rows */
export function valuesOfSteps(steps: Uint8Array, rows: number, expected: Expected): Float64Array {
  const values = new Float64Array(rows)
  let at = 0
  for (let row = 0; row < rows; row++) {
    let rest = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = steps[at++]
      if (byte === undefined) throw new RangeError(`${steps.length} bytes are no steps of ${rows} rows`)
      rest |= BigInt(byte & 127) << shift
      if (byte < 128) break
    }
    const step = (rest >> 1n) ^ -(rest & 1n)
    values[row] = doubleOfBits(BigInt.asIntN(64, bitsOfDouble(definite(expected(row, values))) + step))
  }
  if (at !== steps.length) throw new RangeError(`${steps.length} bytes are no steps of ${rows} rows`)
  return values
}

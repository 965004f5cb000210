/** The number that a standard normal variable stays below with probability p; ±∞ at 1 and 0. To 1e-15 (Wichura 1988, algorithm AS 241). */
export function inverseNormal(p: number): number {
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return ratioAt(0.180625 - q * q, middle) * q
  const r = Math.sqrt(-Math.log(q < 0 ? p : 1 - p))
  if (r === Number.POSITIVE_INFINITY) return q < 0 ? -r : r
  const v = r <= 5 ? ratioAt(r - 1.6, outer) : ratioAt(r - 5, tail)
  return q < 0 ? -v : v
}

/** Coefficients of numerator and denominator by rising powers, one beside the other. */
type Ratio = readonly (readonly [number, number])[]

function ratioAt(x: number, ratio: Ratio): number {
  let above = 0
  let below = 0
  for (let k = ratio.length - 1; k >= 0; k--) {
    above = above * x + ratio[k][0]
    below = below * x + ratio[k][1]
  }
  return above / below
}

const middle: Ratio = [
  [3.3871328727963665, 1],
  [133.14166789178438, 42.31333070160091],
  [1971.5909503065513, 687.1870074920579],
  [13731.69376550946, 5394.196021424751],
  [45921.95393154987, 21213.794301586597],
  [67265.7709270087, 39307.89580009271],
  [33430.57558358813, 28729.085735721943],
  [2509.0809287301227, 5226.495278852854],
]

const outer: Ratio = [
  [1.4234371107496835, 1],
  [4.630337846156546, 2.053191626637759],
  [5.769497221460691, 1.6763848301838038],
  [3.6478483247632045, 0.6897673349851],
  [1.2704582524523684, 0.14810397642748008],
  [0.2417807251774506, 0.015198666563616457],
  [0.022723844989269184, 0.0005475938084995345],
  [0.0007745450142783414, 1.0507500716444169e-9],
]

const tail: Ratio = [
  [6.657904643501103, 1],
  [5.463784911164114, 0.599832206555888],
  [1.7848265399172913, 0.1369298809227358],
  [0.29656057182850487, 0.014875361290850615],
  [0.026532189526576124, 0.0007868691311456133],
  [0.0012426609473880784, 1.8463183175100548e-5],
  [2.7115555687434876e-5, 1.421511758316446e-7],
  [2.0103343992922881e-7, 2.0442631033899397e-15],
]

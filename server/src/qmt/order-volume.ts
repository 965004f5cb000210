/** Smallest order of a security's board, and its step. */
export interface Lot {
  readonly min: number
  readonly step: number
}

/** What was written as 0.1 of 100,000 must buy what 10,000 buys: a millionth of a step. */
const near = 1e-6

const steps = (volume: number, step: number): number => Math.floor(volume / step + near) * step

/**
 * The volume of the next order towards a gap, 0 = none: the same function as `qmt-client/convexa_qmt/quantities.py`, held to it by
 * `qmt-client/test/volume-cases.json`. The exchange takes a buy in steps from the smallest order on; a sell in the same way, or all that
 * the account may sell, or its odd rest with steps.
 *
 * @param gap volume that is still to be bought or sold
 * @param saleable of it what may be sold now
 * @param accountSaleable what the whole account may sell now
 * @param orderMax yuan of one order at most
 * @param money yuan that are left
 */
export function orderVolume(
  side: 'buy' | 'sell',
  gap: number,
  saleable: number,
  accountSaleable: number,
  lot: Lot,
  price: number,
  orderMax = Number.POSITIVE_INFINITY,
  money = Number.POSITIVE_INFINITY,
): number {
  if (!(price > 0) || gap <= 0) return 0
  if (side === 'buy') return buyVolume(gap, lot, orderMax / price, money / price)
  return sellVolume(Math.trunc(Math.min(gap, saleable)), Math.trunc(accountSaleable), lot, orderMax / price, money / price)
}

function buyVolume(gap: number, { min, step }: Lot, most: number, affordable: number): number {
  const within = Math.min(gap, affordable)
  const volume = steps(Math.min(within, most), step)
  const rest = steps(within, step) - volume
  // A rest below the smallest order could never be bought: this order leaves more of it, where it can.
  const smaller = rest > 0 && rest < min ? steps(volume + rest - min, step) : 0
  const chosen = smaller >= min ? smaller : volume
  return chosen >= min ? chosen : 0
}

function sellVolume(given: number, whole: number, lot: Lot, most: number, affordable: number): number {
  // What cannot go in any order stays.
  const wish = isAllowed(given, whole, lot) ? given : Math.max(0, ...choicesOf(given, given, whole, lot))
  if (wish <= 0) return 0
  const afforded = Math.min(wish, affordable)
  // The smallest order wins over the largest.
  const within = Math.min(afforded, Math.max(most, lot.min))
  const choices = choicesOf(wish, within, whole, lot)
  const found = choices.filter((one) => one === wish || wish - one >= lot.min)
  if (found.length > 0) return Math.max(...found)
  if (wish <= afforded) return wish
  return Math.max(0, ...choices)
}

const isAllowed = (volume: number, whole: number, { min, step }: Lot): boolean =>
  volume > 0 && ((volume >= min && volume % step === 0) || volume === whole || (step > 1 && volume % step === whole % step))

/** The largest volumes that are allowed, with and without the odd rest, and those that leave a smallest order. */
function choicesOf(wish: number, within: number, whole: number, lot: Lot): number[] {
  const odd = lot.step > 1 ? whole % lot.step : 0
  const made = [within, Math.min(within, wish - lot.min)].flatMap((most) => [steps(most, lot.step), steps(most - odd, lot.step) + odd])
  return [whole, ...made].filter((one) => one > 0 && one <= Math.min(within, wish) + near && isAllowed(one, whole, lot))
}

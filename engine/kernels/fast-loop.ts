import {
  BEFORE,
  RANKED_CLOSE,
  BOUGHT,
  BUFFER,
  BUYABLE,
  BUYERS,
  BUYS,
  BUY_LEAST,
  BUY_RATE,
  BUY_TAX,
  CASH,
  CLAIMED,
  CLOSE,
  CLOSES,
  COUNT,
  DAY,
  DAYS,
  DEPTH,
  DUE,
  DUES,
  EQUITY,
  FAIL,
  FILL_COUNT,
  FIRST,
  POSITIONS,
  LAST,
  LIST,
  NOW,
  OPEN,
  ORDER,
  TRADING_COST,
  PARTS,
  PLACES,
  POOL,
  PRICE,
  ROW,
  ROWS,
  SALES,
  SECURITIES,
  SEEN,
  SELLERS,
  SELL_LEAST,
  SELL_RATE,
  SELL_TAX,
  SLIPPAGE,
  SOLD,
  STAYS_EMPTY,
  VALUED_FILL_COUNT,
  TRADED,
  TRADE_DAYS,
  UNITS,
  UNJUDGED,
  WEIGHT,
} from './layout'
import { get, input } from './simd'

// The days of a run of the fast loop that need nothing but rebalances to equal weights. src/simulation/fast-loop.ts defines them, in the same order.

const DUST: f64 = 1e-12
const NO_DAY: i32 = 0x7fffffff

/**
 * Simulates days from the state of the run on: up to its end, to a day on which a position may have to be closed, or to a rebalance that needs
 * a place beyond the table.
 */
export function simulate_days(run: usize, n: i32, t: usize): void {
  const days = whole(run, DAYS), rows = whole(run, ROWS)
  const tradeDays = input(t, TRADE_DAYS)
  let day = whole(run, DAY), row = whole(run, ROW)
  while (day < days && whole(run, DUE) > day) {
    if (dayOf(tradeDays, row, rows) == day) {
      const size = choose(run, t, row)
      if (size < 0) break
      trade(run, t, row, day, size)
      row++
    }
    let next = min(days, dayOf(tradeDays, row, rows))
    next = min(next, max(day + 1, whole(run, DUE)))
    value(run, t, day, next)
    day = next
  }
  store<f64>(run + DAY, <f64>day)
  store<f64>(run + ROW, <f64>row)
}

/** Values days from `from` up to `to`, on the first of which there may have been trades. */
export function value_days(run: usize, n: i32, t: usize, from: i32, to: i32): void {
  value(run, t, from, to)
}

// @ts-ignore: decorator
@inline function whole(run: usize, at: usize): i32 { return <i32>load<f64>(run + at) }

// @ts-ignore: decorator
@inline function at8(base: usize, k: i32): usize { return base + (<usize>k << 3) }

// @ts-ignore: decorator
@inline function at4(base: usize, k: i32): usize { return base + (<usize>k << 2) }

// @ts-ignore: decorator
@inline function dayOf(days: usize, row: i32, rows: i32): i32 { return row < rows ? load<i32>(at4(days, row)) : NO_DAY }

/** Selects the securities to hold: kept ones first or, without a buffer, in the order of places. Returns their number, −1 for a place beyond the table. */
function choose(run: usize, t: usize, row: i32): i32 {
  const units = input(t, UNITS), price = input(t, PRICE), now = input(t, NOW), seen = input(t, SEEN)
  const list = input(t, LIST), places = input(t, PLACES), close = input(t, CLOSE), open = input(t, OPEN)
  const depth = whole(run, DEPTH), first = whole(run, FIRST), buffer = whole(run, BUFFER)
  const table = row * depth - 1
  const order = at4(input(t, ORDER), table), closes = at8(input(t, RANKED_CLOSE), table), buyable = input(t, BUYABLE) + table
  const size = load<i32>(at4(input(t, POOL), row))
  const wanted = whole(run, LAST) - first + 1
  const known = min(depth, size)
  const reach = min(whole(run, LAST) + buffer, known)
  let kept = 0
  for (let place = first; place <= reach && kept < wanted; place++) {
    const i = load<i32>(at4(order, place))
    const today = load<f64>(at8(closes, place))
    store<i32>(at4(list, kept), i)
    store<i32>(at4(places, kept), place)
    store<f64>(at8(close, kept), today)
    store<i32>(at4(open, place - first - kept), place)
    store<i32>(at4(seen, i), row + 1)
    store<f64>(at8(now, i), today > 0 ? today : load<f64>(at8(price, i)))
    kept += <i32>(load<f64>(at8(units, i)) != 0)
  }
  if (kept == wanted) return kept
  const staysEmpty = load<f64>(run + STAYS_EMPTY) != 0
  const opened = max(0, reach - first + 1) - kept
  let end = kept, left = wanted - kept
  for (let k = 0; left > 0; k++) {
    const place = k < opened ? load<i32>(at4(open, k)) : max(first, reach + 1) + k - opened
    if (place > size) break
    if (place > known) return -1
    const canBuy = load<u8>(buyable + place) == 1
    if (canBuy) {
      const i = load<i32>(at4(order, place))
      const today = load<f64>(at8(closes, place))
      store<i32>(at4(seen, i), row + 1)
      store<f64>(at8(now, i), today)
      // Without a buffer they stand between those kept, by place: both are in order.
      let n = end++
      if (buffer == 0) {
        for (; n > 0 && load<i32>(at4(places, n - 1)) > place; n--) {
          store<i32>(at4(list, n), load<i32>(at4(list, n - 1)))
          store<i32>(at4(places, n), load<i32>(at4(places, n - 1)))
          store<f64>(at8(close, n), load<f64>(at8(close, n - 1)))
        }
      }
      store<i32>(at4(list, n), i)
      store<i32>(at4(places, n), place)
      store<f64>(at8(close, n), today)
    }
    if (canBuy || staysEmpty) left--
  }
  return end
}

/** Sales first, then buys in the order of the selection. */
function trade(run: usize, t: usize, row: i32, day: i32, size: i32): void {
  const units = input(t, UNITS), price = input(t, PRICE), now = input(t, NOW), seen = input(t, SEEN), positions = input(t, POSITIONS)
  const list = input(t, LIST), close = input(t, CLOSE), sellers = input(t, SELLERS), parts = input(t, PARTS), buyers = input(t, BUYERS)
  const days = whole(run, DAYS), count = whole(run, COUNT)
  const closes = at8(input(t, CLOSES), day), traded = input(t, TRADED) + <usize>day
  const fail = input(t, FAIL) + <usize>row * <usize>whole(run, SECURITIES), unjudged = input(t, UNJUDGED)
  let equity = load<f64>(run + CASH)
  let stay = 0, selling = 0
  for (let k = 0; k < count; k++) {
    const i = load<i32>(at4(positions, k))
    store<i32>(at4(positions, stay), i)
    if (load<i32>(at4(seen, i)) == row + 1) stay++
    else {
      const today = load<f64>(at8(closes, i * days))
      const trades = load<u8>(traded + <usize>(i * days)) == 1 && today > 0
      store<f64>(at8(now, i), trades ? today : load<f64>(at8(price, i)))
      if (trades && load<u8>(unjudged + <usize>load<u8>(fail + <usize>i)) == 0) {
        store<i32>(at4(sellers, selling), i)
        store<f64>(at8(parts, selling++), load<f64>(at8(units, i)))
      } else stay++
    }
    equity += load<f64>(at8(units, i)) * load<f64>(at8(now, i))
  }
  equity += load<f64>(run + CLAIMED)
  const leaving = selling, least = DUST * equity, share = equity * load<f64>(run + WEIGHT)
  let buying = 0
  for (let n = 0; n < size; n++) {
    const i = load<i32>(at4(list, n))
    const excess = load<f64>(at8(units, i)) * load<f64>(at8(now, i)) - share
    const trades = <i32>(load<f64>(at8(close, n)) > 0)
    store<i32>(at4(sellers, selling), i)
    selling += trades & <i32>(excess > least)
    store<i32>(at4(buyers, buying), i)
    buying += trades & <i32>(-excess > least)
  }
  for (let k = leaving; k < selling; k++) {
    const i = load<i32>(at4(sellers, k))
    const own = load<f64>(at8(units, i)), at = load<f64>(at8(now, i))
    store<f64>(at8(parts, k), min<f64>((own * at - share) / at, own))
  }
  store<f64>(run + COUNT, <f64>stay)
  if (sell(run, t, selling) > leaving) {
    let left = 0
    for (let k = 0; k < stay; k++) {
      const i = load<i32>(at4(positions, k))
      store<i32>(at4(positions, left), i)
      left += <i32>(load<f64>(at8(units, i)) != 0)
    }
    store<f64>(run + COUNT, <f64>left)
  }
  buy(run, t, buying, share, least)
}

// @ts-ignore: decorator
@inline function fee(amount: f64, rate: f64, tax: f64, least: f64): f64 { return amount > 0 ? max<f64>(rate * amount, least) + tax * amount : 0 }

/** Sells the listed parts. Returns how many have nothing left. */
function sell(run: usize, t: usize, count: i32): i32 {
  const units = input(t, UNITS), now = input(t, NOW), sellers = input(t, SELLERS), parts = input(t, PARTS)
  const rate = load<f64>(run + SELL_RATE), tax = load<f64>(run + SELL_TAX), least = load<f64>(run + SELL_LEAST)
  const share = 1 - load<f64>(run + SLIPPAGE)
  let cash = load<f64>(run + CASH), sales = load<f64>(run + SALES), tradingCost = load<f64>(run + TRADING_COST)
  let emptied = 0
  for (let k = 0; k < count; k++) {
    const i = load<i32>(at4(sellers, k))
    const sold = load<f64>(at8(parts, k)), at = load<f64>(at8(now, i))
    const amount = at * share * sold
    const received = amount - min<f64>(amount, fee(amount, rate, tax, least))
    cash += received
    sales += amount
    tradingCost += sold * at - received
    const left = load<f64>(at8(units, i)) - sold
    store<f64>(at8(units, i), left)
    emptied += <i32>(left == 0)
  }
  store<f64>(run + CASH, cash)
  store<f64>(run + SALES, sales)
  store<f64>(run + TRADING_COST, tradingCost)
  store<f64>(run + FILL_COUNT, load<f64>(run + FILL_COUNT) + <f64>count)
  return emptied
}

/** Buys for the listed what they lack to their share, as far as the cash goes. */
function buy(run: usize, t: usize, count: i32, share: f64, least: f64): void {
  const units = input(t, UNITS), price = input(t, PRICE), now = input(t, NOW), dues = input(t, DUES), positions = input(t, POSITIONS), buyers = input(t, BUYERS)
  const rate = load<f64>(run + BUY_RATE), tax = load<f64>(run + BUY_TAX), leastFee = load<f64>(run + BUY_LEAST)
  const more = 1 + load<f64>(run + SLIPPAGE), whole1 = 1 + rate + tax, taxed = 1 + tax
  let cash = load<f64>(run + CASH), buys = load<f64>(run + BUYS), tradingCost = load<f64>(run + TRADING_COST)
  let due = whole(run, DUE), many = whole(run, COUNT), fills = 0
  for (let k = 0; k < count; k++) {
    const i = load<i32>(at4(buyers, k))
    const own = load<f64>(at8(units, i)), at = load<f64>(at8(now, i))
    const wanted = share - own * at
    const asked = at * more
    const most = cash / whole1
    const affordable = max<f64>(0, rate * most >= leastFee ? most : (cash - leastFee) / taxed)
    const bought = min<f64>(wanted, affordable) / asked
    const amount = asked * bought
    if (!(amount > least)) continue
    const spent = amount + fee(amount, rate, tax, leastFee)
    cash -= spent
    buys += amount
    tradingCost += spent - bought * at
    if (own == 0) {
      store<i32>(at4(positions, many++), i)
      due = min(due, load<i32>(at4(dues, i)))
    }
    store<f64>(at8(units, i), own + bought)
    store<f64>(at8(price, i), at)
    fills++
  }
  store<f64>(run + CASH, cash)
  store<f64>(run + BUYS, buys)
  store<f64>(run + TRADING_COST, tradingCost)
  store<f64>(run + DUE, <f64>due)
  store<f64>(run + COUNT, <f64>many)
  store<f64>(run + FILL_COUNT, load<f64>(run + FILL_COUNT) + <f64>fills)
}

/** Values what is held at the closes of a stretch of days, on the first of which there may have been trades. */
function value(run: usize, t: usize, from: i32, to: i32): void {
  const equity = input(t, EQUITY), before = input(t, BEFORE)
  const cash = load<f64>(run + CASH), claimed = load<f64>(run + CLAIMED)
  if (!addClosed(run, t, from, to)) addCarried(run, t, from, to)
  for (let day = from; day < to; day++) {
    const sum = cash + (load<f64>(at8(equity, day)) + claimed)
    store<f64>(at8(equity, day), sum)
    store<f64>(at8(before, day), sum)
  }
  if (load<f64>(run + FILL_COUNT) == load<f64>(run + VALUED_FILL_COUNT)) return
  store<f64>(run + VALUED_FILL_COUNT, load<f64>(run + FILL_COUNT))
  store<f64>(at8(before, from), load<f64>(at8(before, from)) + load<f64>(run + TRADING_COST))
  store<f64>(at8(input(t, BOUGHT), from), load<f64>(run + BUYS))
  store<f64>(at8(input(t, SOLD), from), load<f64>(run + SALES))
  store<f64>(run + BUYS, 0)
  store<f64>(run + SALES, 0)
  store<f64>(run + TRADING_COST, 0)
}

/**
 * Adds up the positions of a stretch of days, six days at a time: in each day's sum they stand in the order of buying. False where a close is
 * absent: then nothing is to be made of the sums. Reads up to six closes beyond the stretch, writes as many sums.
 */
function addClosed(run: usize, t: usize, from: i32, to: i32): bool {
  const units = input(t, UNITS), positions = input(t, POSITIONS), equity = input(t, EQUITY), closes = input(t, CLOSES)
  const days = whole(run, DAYS), count = whole(run, COUNT)
  const end = at4(positions, count)
  for (let day = from; day < to; day += 6) {
    const today = at8(closes, day)
    let a = f64x2.splat(0), b = a, c = a
    for (let p = positions; p < end; p += 4) {
      const i = load<i32>(p)
      const own = v128.load64_splat(at8(units, i))
      const at = at8(today, i * days)
      a = f64x2.add(a, f64x2.mul(own, get(at)))
      b = f64x2.add(b, f64x2.mul(own, v128.load(at, 16)))
      c = f64x2.add(c, f64x2.mul(own, v128.load(at, 32)))
    }
    const sums = at8(equity, day)
    v128.store(sums, a)
    v128.store(sums, b, 16)
    v128.store(sums, c, 32)
  }
  for (let day = from; day < to; day++) {
    const sum = load<f64>(at8(equity, day))
    if (sum != sum) return false
  }
  const price = input(t, PRICE), last = at8(closes, to - 1)
  for (let p = positions; p < end; p += 4) {
    const i = load<i32>(p)
    store<f64>(at8(price, i), load<f64>(at8(last, i * days)))
  }
  return true
}

/** The same with the price before where a close is absent. */
function addCarried(run: usize, t: usize, from: i32, to: i32): void {
  const units = input(t, UNITS), price = input(t, PRICE), positions = input(t, POSITIONS), equity = input(t, EQUITY), closes = input(t, CLOSES)
  const days = whole(run, DAYS), count = whole(run, COUNT)
  for (let day = from; day < to; day++) store<f64>(at8(equity, day), 0)
  for (let k = 0; k < count; k++) {
    const i = load<i32>(at4(positions, k))
    const own = load<f64>(at8(units, i))
    let at = load<f64>(at8(price, i))
    for (let day = from; day < to; day++) {
      const close = load<f64>(at8(closes, i * days + day))
      if (close == close) at = close
      store<f64>(at8(equity, day), load<f64>(at8(equity, day)) + own * at)
    }
    store<f64>(at8(price, i), at)
  }
}

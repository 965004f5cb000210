import { order } from './rank'

// Places of a day's securities among each other, equal ones in the order of codes. The table's first input are the values.

/** How many are in order, and where each security's number is: of those in order the next place of its equals. */
let many: u32 = 0
let nextPlaces: usize = 0

/**
 * Orders the row: at the address that is answered each security has the place, from 0, of the first of its equals (absent: behind the end), and at
 * `nextPlaces` that place counts. scratch: what `order` works with, its answer behind it, then the counts.
 */
function firstPlaces(n: i32, t: usize, listed: usize, scratch: usize): usize {
  const row = <usize>((n + 7) & ~3) << 2
  const places = scratch + 16_384 + 3 * row
  order(places, n, t, listed, scratch)
  many = load<u32>(places + (<usize>n << 3))
  nextPlaces = places + 2 * row + 16
  return places
}

/** The next place among its equals: from the smallest on, 0 = the first. */
// @ts-ignore: decorator
@inline function take(place: u32): u32 {
  const p = nextPlaces + (<usize>place << 2)
  const next = load<u32>(p)
  store<u32>(p, next + 1)
  return next
}

function ascending(): void {
  for (let place: u32 = 0; place < many; place++) store<u32>(nextPlaces + (<usize>place << 2), place)
}

/** 1 = the largest. */
function descending(places: usize, n: i32): void {
  memory.fill(nextPlaces, 0, <usize>(many + 2) << 2)
  for (let p = places, end = places + (<usize>n << 2); p < end; p += 4) take(load<u32>(p))
  for (let place: u32 = 0; place < many; place++) {
    const p = nextPlaces + (<usize>place << 2)
    store<u32>(p, many - place - load<u32>(p) + 1)
  }
}

/** Of each security its next place; an absent one has none. */
// @ts-ignore: decorator
@inline function nextOf(places: usize, i: i32): f64 {
  const place = load<u32>(places + (<usize>i << 2))
  return place < many ? <f64>take(place) : NaN
}

// @ts-ignore: decorator
@inline function tell(out: usize, i: i32, value: f64): void { store<f64>(out + (<usize>i << 3), value) }

export function order_of_day(out: usize, n: i32, t: usize, listed: usize, scratch: usize): void {
  const places = firstPlaces(n, t, listed, scratch)
  descending(places, n)
  for (let i = 0; i < n; i++) tell(out, i, nextOf(places, i))
}

/** 1 for the so many largest. */
export function top_of_day(out: usize, n: i32, t: usize, listed: usize, scratch: usize, number: f64): void {
  const places = firstPlaces(n, t, listed, scratch)
  descending(places, n)
  for (let i = 0; i < n; i++) {
    const place = nextOf(places, i)
    tell(out, i, place <= number ? 1 : place - place)
  }
}

/** 1 for the so many smallest. */
export function bottom_of_day(out: usize, n: i32, t: usize, listed: usize, scratch: usize, number: f64): void {
  const places = firstPlaces(n, t, listed, scratch)
  ascending()
  for (let i = 0; i < n; i++) {
    const place = nextOf(places, i)
    tell(out, i, place < number ? 1 : place - place)
  }
}

/** Bins of equal counts, 1 = the smallest. */
export function bin_of_day(out: usize, n: i32, t: usize, listed: usize, scratch: usize, number: f64): void {
  const places = firstPlaces(n, t, listed, scratch)
  ascending()
  for (let i = 0; i < n; i++) tell(out, i, ceil(((nextOf(places, i) + 1) * number) / <f64>many))
}

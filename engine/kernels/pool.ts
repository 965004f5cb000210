/**
 * Adds weight × rank to each security's cost, along the order of a column without equal values; only members of the pool advance the rank.
 * Ranks begin behind `from` and go up or, where the largest is the best, down (`step`). Costs outside the pool are meaningless.
 */
export function add_ranks(cost: usize, size: i32, order: usize, pool: usize, from: i32, step: i32, weight: f64): void {
  let rank = from
  for (let p = order, end = order + (<usize>size << 2); p < end; p += 4) {
    const i = <usize>load<u32>(p)
    const own = cost + (i << 3)
    rank += step * <i32>load<u8>(pool + i)
    store<f64>(own, load<f64>(own) + weight * <f64>rank)
  }
}

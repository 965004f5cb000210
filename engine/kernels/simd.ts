// A thin readable layer over raw memory: two numbers of 8 bytes side by side. Everything is inlined: no objects, no runtime.

/** Address of the k-th input of the table `t`. */
// @ts-ignore: decorator
@inline export function input(t: usize, k: i32): usize { return <usize>load<u32>(t + (<usize>k << 2)) }

// @ts-ignore: decorator
@inline export function get(p: usize): v128 { return v128.load(p) }

// @ts-ignore: decorator
@inline export function put(p: usize, v: v128): void { v128.store(p, v) }

/** v where it is finite, NaN where it is not. */
// @ts-ignore: decorator
@inline export function finite(v: v128): v128 { return f64x2.add(v, f64x2.sub(v, v)) }

/** 1 where the mask is set, else 0. */
// @ts-ignore: decorator
@inline export function truth(mask: v128): v128 { return v128.and(mask, f64x2.splat(1)) }

/** 0 where v is finite, NaN where it is not. */
// @ts-ignore: decorator
@inline export function nothing(v: v128): v128 { return f64x2.sub(v, v) }

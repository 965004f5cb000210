/**
 * Warnings for a grid over places of the ranking (持有名次) whose border lies among equal scores: then codes decide which securities are inside,
 * and neighbouring cells may differ in nothing else. The threshold is that of ties across bins (domain.md 6.2).
 */
import type { GridAxis } from '@convexa/contract'
import { type HoldRange, placesOf } from '../screen/hold-range.ts'
import { mostCut } from '../screen/order.ts'
import type { Rankings } from '../simulation/rankings.ts'

const borders = {
  'parameters.hold_method.hold_range_start': ({ first }: HoldRange | ReturnType<typeof placesOf>) => first - 1,
  'parameters.hold_method.hold_range_end': ({ last }: HoldRange | ReturnType<typeof placesOf>) => last,
} as const
const isBorder = (path: string): path is keyof typeof borders => Object.hasOwn(borders, path)

/** Warnings of axes over places; `rangeAt`: what is held of a ranking with a value of an axis. */
export function tiedPlaces(
  axes: readonly GridAxis[],
  rankings: Pick<Rankings, 'days' | 'count' | 'depth' | 'size' | 'order' | 'scores'>,
  rangeAt: (path: string, value: number) => HoldRange | null,
): string[] {
  return axes.flatMap(({ path, label, values }) => {
    if (!isBorder(path)) return []
    let [looked, tied] = [0, 0]
    for (const value of values) {
      const range = rangeAt(path, value)
      for (let row = 0; range && row < rankings.days.length; row++) {
        const border = borders[path](placesOf(range, rankings.size[row]))
        // A border beyond the pool, or beyond the ranked places, cuts nothing.
        if (border < 1 || border >= Math.min(rankings.size[row], rankings.depth)) continue
        const costAt = (place: number) => rankings.scores[row * rankings.count + rankings.order[row * rankings.depth + place - 1]]
        looked++
        tied += Number(costAt(border) === costAt(border + 1))
      }
    }
    if (!(tied > mostCut * looked)) return []
    const share = ((100 * tied) / looked).toFixed(1)
    return [`「${label}」各取值的边界上，平均有 ${share}% 的轮动日前后名次得分相同，按代码先后取舍，相邻格子的差别可能只来自代码先后`]
  })
}

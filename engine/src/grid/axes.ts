import type { GridAxis, Parameters, Settings } from '@convexa/contract'

/** What a grid varies. */
export interface GridRequest {
  readonly parameters: Parameters
  readonly settings: Settings
}

/** The request with a number in it changed; null where the path leads to no number (an optional one may be absent). */
export function changed(request: GridRequest, path: string, value: number): GridRequest | null {
  const steps = path.split('.')
  const root: Record<string, unknown> = { parameters: request.parameters, settings: request.settings }
  const made = { ...root }
  let at: Record<string, unknown> | unknown[] = made
  for (const step of steps.slice(0, -1)) {
    const inner: unknown = own(at, step)
    if (typeof inner !== 'object' || inner === null) return null
    const copy: Record<string, unknown> | unknown[] = Array.isArray(inner) ? [...inner] : { ...(inner as Record<string, unknown>) }
    ;(at as Record<string, unknown>)[step] = copy
    at = copy
  }
  const last = steps[steps.length - 1]
  const before = own(at, last)
  if (before === undefined ? Array.isArray(at) : typeof before !== 'number') return null
  ;(at as Record<string, unknown>)[last] = value
  return made as unknown as GridRequest
}

const own = (of: object, key: string): unknown => (Object.hasOwn(of, key) ? (of as Record<string, unknown>)[key] : undefined)

/** The place of each cell along the axes, the last axis fastest. Without axes there is one cell. */
export function cellIndexesOf(axes: readonly GridAxis[]): number[][] {
  return axes.reduce<number[][]>((places, axis) => places.flatMap((place) => axis.values.map((_, k) => [...place, k])), [[]])
}

/** The request of a cell; null where an axis leads to no number. */
export function cellAt(request: GridRequest, axes: readonly GridAxis[], place: readonly number[]): GridRequest | null {
  let made: GridRequest | null = request
  for (let a = 0; a < axes.length && made; a++) made = changed(made, axes[a].path, axes[a].values[place[a]])
  return made
}

/** More different numbers than any choice among kinds has (kinds of stops, of weights …). */
const mostKinds = 20

/**
 * Requests that together read all that any cell of the grid reads: the one given, and it with the numbers of each axis alone. Of an axis with more
 * numbers than there are kinds of anything, the least and the greatest stand for those between. Steps that lead nowhere are left out.
 */
export function cornersOf(request: GridRequest, axes: readonly GridAxis[]): GridRequest[] {
  return [request, ...axes.flatMap(({ path, values }) => telling(values).flatMap((value) => changed(request, path, value) ?? []))]
}

function telling(values: readonly number[]): number[] {
  const different = [...new Set(values)].sort((a, b) => a - b)
  return different.length <= mostKinds ? different : [different[0], different[different.length - 1]]
}

/** Equal for cells that are ranked by the same factors, with whatever weights. A weight of 0 takes its factor out. */
export function factorsKey({ parameters, settings }: GridRequest): string {
  const rank_factors = parameters.rank_factors.map((row) => ({ ...row, weight: Number(row.weight !== 0) }))
  return rankingKey({ parameters: { ...parameters, rank_factors }, settings })
}

/**
 * Equal for cells that are ranked alike: what only says how many of the order are held, for how long, at what cost and until when is
 * left out.
 */
export function rankingKey({ parameters, settings }: GridRequest): string {
  const { hold_method: hold, stop_method: stop, hold_days: _days, universe, ...ranked } = parameters
  const { cost: _cost, capital: _capital, oos_start: _oos, ...rest } = settings
  const { max_per_issuer: _issuer, ...market } = universe
  const { hold_range_type: range, hold_weight_type: weight, hold_weight_factor: factor } = hold
  return JSON.stringify([ranked, market, range, weight, factor, stop.stop_type, stop.base, rest])
}

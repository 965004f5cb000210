/** A figure that a drill measured, as a line beside its goal. Without a goal it is only printed. */
interface Figure {
  readonly what: string
  readonly seen: string
  readonly goal?: string
  readonly holds?: boolean
}

/** What a drill found: each figure is printed as it comes; `end` prints the sums and gives the exit status. */
export interface Figures {
  /** Of a value that may be so much at most; NaN, which nothing was measured of, does not hold. */
  atMost(what: string, value: number, goal: number, unit?: string): void
  /** Of faults: there must be none. The first few of a list are printed with it. */
  none(what: string, faults: number | readonly string[]): void
  /** Of anything else. */
  goal(what: string, seen: string, goal: string, holds: boolean): void
  /** Judged by nobody. */
  fact(what: string, seen: string | number): void
  /** Prints `N passed, N failed`. @returns 0 only where all goals hold and there was one */
  end(): 0 | 1
}

const mostFaults = 30

export function openFigures(print: (line: string) => void = console.log): Figures {
  let passed = 0
  let failed = 0
  const add = (figure: Figure) => {
    if (figure.holds !== undefined) figure.holds ? passed++ : failed++
    print(lineOf(figure))
  }
  return {
    atMost: (what, value, goal, unit = '') =>
      add({ what, seen: `${rounded(value)}${unit && ` ${unit}`}`, goal: `≤ ${goal}${unit && ` ${unit}`}`, holds: value <= goal }),
    none(what, faults) {
      const count = typeof faults === 'number' ? faults : faults.length
      add({ what, seen: String(count), goal: '0', holds: count === 0 })
      if (typeof faults !== 'number') for (const fault of faults.slice(0, mostFaults)) print(`        ${fault}`)
    },
    goal: (what, seen, goal, holds) => add({ what, seen, goal, holds }),
    fact: (what, seen) => add({ what, seen: String(seen) }),
    end() {
      print(`${passed} passed, ${failed} failed`)
      return failed === 0 && passed > 0 ? 0 : 1
    },
  }
}

const signs = { true: '达到  ', false: '未达到', undefined: '      ' } as const

const lineOf = ({ what, seen, goal, holds }: Figure): string =>
  `${signs[`${holds}`]}  ${what}: ${seen}${goal === undefined ? '' : `（目标 ${goal}）`}`

const rounded = (value: number): string => String(Math.abs(value) >= 100 ? Math.round(value) : Number(value.toFixed(2)))

/** Of measured values the one below which this share of them lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN
}

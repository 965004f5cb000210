import pixelmatch from 'pixelmatch'

/** A picture as RGBA, four bytes a pixel. */
export interface Picture {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

export interface Compared {
  /** Fraction of the pixels that differ, of those that both pictures have; smoothed edges do not count. */
  readonly changed: number
  /** Growth of the height as a fraction, below 0 where it shrank. */
  readonly grown: number
  /** The difference, as large as what both have. */
  readonly difference: Picture
}

/** Above either a screen is looked at (structure.md 5). */
const most = { changed: 0.005, grown: 0.02 }

/** @throws where the widths differ: they are of different variants */
export function compare(before: Picture, after: Picture): Compared {
  if (before.width !== after.width) throw new Error(`${before.width} pixels wide before, ${after.width} after`)
  const { width } = before
  const height = Math.min(before.height, after.height)
  const shared = ({ data }: Picture) => data.subarray(0, width * height * 4)
  const data = new Uint8Array(width * height * 4)
  const pixels = pixelmatch(shared(before), shared(after), data, width, height, { threshold: 0.1, includeAA: false })
  return { changed: pixels / (width * height), grown: after.height / before.height - 1, difference: { width, height, data } }
}

export const isToLookAt = ({ changed, grown }: Pick<Compared, 'changed' | 'grown'>): boolean =>
  changed > most.changed || Math.abs(grown) > most.grown

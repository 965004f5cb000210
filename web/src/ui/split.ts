/** The first panel's size and its bounds, in pixels. */
export interface Split {
  size: number
  min: number
  max: number
}

const step = 16

/**
 * The size after a key on the separator (ARIA APG, window splitter): arrows by 16 px, with Shift by 64, Home and End to the bounds.
 * Null for any other key; Enter, which folds, is not a size.
 */
export function resized({ size, min, max }: Split, key: string, { upright, far }: { upright: boolean; far: boolean }): number | null {
  const [less, more] = upright ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
  const by = far ? step * 4 : step
  const next = key === less ? size - by : key === more ? size + by : key === 'Home' ? min : key === 'End' ? max : null
  return next === null ? null : bounded(next, { min, max })
}

export const bounded = (size: number, { min, max }: Pick<Split, 'min' | 'max'>): number =>
  Math.round(Math.min(Math.max(min, max), Math.max(min, size)))

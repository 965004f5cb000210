const waitsMs = [0, 100, 500, 2_000, 5_000]

/** How long to wait before the start after so many that ended without being of use, one after the other: 0 after the first. */
export const backOffMs = (ends: number): number => waitsMs[Math.min(Math.max(1, ends), waitsMs.length) - 1]!

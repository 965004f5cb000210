/** The parts of a market's day (providers.md 10.1). */
export const dayParts = ['bars', 'factors', 'valuations', 'prices', 'sizes', 'lists', 'announcements'] as const
export type DayPart = (typeof dayParts)[number]

/** By part of the shares' day what it is for their bonds. */
export const ofShares = { bars: 'share_bars', factors: 'share_factors', valuations: 'share_valuations' } as const
/** A part of a market's own day, or of the day of its bonds' shares. */
export type ListPart = DayPart | (typeof ofShares)[keyof typeof ofShares]

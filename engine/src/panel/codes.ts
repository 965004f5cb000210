import type { Security } from './panel.ts'

type Coded = Pick<Security, 'code' | 'formerCodes'>

/** Places of securities by their codes and former codes; a code that a security bears now is that one's. */
export function placesByCode(securities: readonly Coded[]): Map<string, number> {
  const places = new Map(securities.map(({ code }, i) => [code, i]))
  securities.forEach(({ formerCodes = [] }, i) => {
    for (const code of formerCodes) if (!places.has(code)) places.set(code, i)
  })
  return places
}

/** Whether a security bears one of the codes, or bore it. */
export const bears = ({ code, formerCodes }: Coded, codes: ReadonlySet<string>): boolean =>
  codes.has(code) || (formerCodes?.some((former) => codes.has(former)) ?? false)

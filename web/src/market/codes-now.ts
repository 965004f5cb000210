import type { SecurityOption } from '@convexa/contract/market'

type Coded = Pick<SecurityOption, 'code' | 'former_codes'>

const made = new WeakMap<readonly Coded[], ReadonlyMap<string, string>>()

/** The code under which the data have a security that somebody names, perhaps by a former one. */
export function codeNow(securities: readonly Coded[], code: string): string {
  let now = made.get(securities)
  if (now === undefined) {
    now = new Map([
      ...securities.flatMap((one) => (one.former_codes ?? []).map((former) => [former, one.code] as const)),
      ...securities.map((one) => [one.code, one.code] as const),
    ])
    made.set(securities, now)
  }
  return now.get(code) ?? code
}

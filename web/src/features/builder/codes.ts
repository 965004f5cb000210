import type { SecurityOption } from '@convexa/contract/market'
import { folded } from '../../ui/folded.ts'

/** The securities that a text names, by code or by whole name; `113050`, `113050.SH` and `SH113050` are the same. */
export function codesIn(
  text: string,
  securities: readonly Pick<SecurityOption, 'code' | 'name' | 'former_codes'>[],
): { known: string[]; unknown: string[] } {
  const known = new Set<string>()
  const unknown: string[] = []
  const byWord = new Map(
    // A code of now is stronger than a former one.
    [
      ...securities.flatMap(({ code, former_codes: former = [] }) => former.flatMap((one) => writings(one, code))),
      ...securities.flatMap(({ code, name }) => [...writings(code, code), [folded(name), code] as const]),
    ],
  )
  for (const word of text
    .normalize('NFKC')
    .split(/[\s,，;；、|]+/)
    .filter(Boolean)) {
    const bare = word
      .toUpperCase()
      .replace(/^(?:SH|SZ|BJ)\.?(?=\d)/, '')
      .replace(/(?<=\d)(?:SH|SZ|BJ)$/, '')
    const code = byWord.get(folded(word)) ?? byWord.get(bare)
    if (code) known.add(code)
    else unknown.push(word)
  }
  return { known: [...known], unknown }
}

/** With and without the exchange. */
const writings = (word: string, code: string): (readonly [string, string])[] => [
  [word, code],
  [word.split('.')[0] ?? word, code],
]

/**
 * A formula's text cut into what an editor colours: tolerant of what is half written, where the engine's own tokens stop at the
 * first mistake. Places are offsets.
 */
export interface Token {
  kind: 'comment' | 'number' | 'text' | 'function' | 'name' | 'word' | 'sign' | 'other'
  start: number
  end: number
  text: string
}

const rules: readonly (readonly [Token['kind'], RegExp])[] = [
  ['comment', /(?:#|\/\/).*/y],
  ['number', /\d+\.?\d*(?:e[+-]?\d+)?|\.\d+/iy],
  ['text', /"[^"\n]*"?|'[^'\n]*'?/y],
  ['name', /`[^`\n]*`?|[a-z_\u3400-\u9fff][\w\u3400-\u9fff]*/iy],
  ['sign', /:=|\*\*|<=|>=|==|!=|<>|&&|\|\||[-+*/%^<>=?:;,()!≤≥≠×÷（），；：＋－＊／＜＞＝]/y],
]
const words = new Set(['and', 'or', 'not'])

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at] ?? '')) {
      at++
      continue
    }
    const token = tokenAt(text, at)
    tokens.push(token)
    at = token.end
  }
  // A name before a parenthesis is a function.
  return tokens.map((token, i) => {
    if (token.kind !== 'name') return token
    if (words.has(token.text.toLowerCase())) return { ...token, kind: 'word' }
    const next = tokens[i + 1]
    return opens(next) && token.text[0] !== '`' ? { ...token, kind: 'function' } : token
  })
}

function tokenAt(text: string, start: number): Token {
  for (const [kind, rule] of rules) {
    rule.lastIndex = start
    const found = rule.exec(text)?.[0]
    if (found) return { kind, start, end: start + found.length, text: found }
  }
  return { kind: 'other', start, end: start + 1, text: text[start] ?? '' }
}

const isSign = (token: Token | undefined, ...signs: string[]) => token?.kind === 'sign' && signs.includes(token.text)
const opens = (token: Token | undefined) => isSign(token, '(', '（')

/** The call that a place stands in, and which of its arguments; null outside of parentheses. */
export function callAt(text: string, place: number): { name: string; start: number; argument: number } | null {
  const open: { name: Token | null; argument: number }[] = []
  const tokens = tokensOf(text)
  for (const [i, token] of tokens.entries()) {
    if (token.start >= place) break
    if (token.kind === 'comment' && place <= token.end) return null
    if (opens(token)) {
      const before = tokens[i - 1]
      open.push({ name: before?.kind === 'function' ? before : null, argument: 0 })
    } else if (isSign(token, ')', '）')) open.pop()
    else if (isSign(token, ',', '，')) {
      const inner = open.at(-1)
      if (inner) inner.argument++
    }
  }
  const call = open.findLast(({ name }) => name !== null)
  return call?.name ? { name: call.name.text, start: call.name.start, argument: call.argument } : null
}

/** The name that a place stands in or behind, to be completed or explained. */
export const nameAt = (text: string, place: number): Token | null =>
  tokensOf(text).find((token) => (token.kind === 'name' || token.kind === 'function') && token.start <= place && place <= token.end) ?? null

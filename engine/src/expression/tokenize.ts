import { limits } from './limits.ts'
import { FormulaError, type Span } from './problem.ts'

export type Token = Span &
  (
    | { readonly kind: 'number'; readonly value: number }
    | { readonly kind: 'text'; readonly value: string }
    | { readonly kind: 'name'; readonly value: string; readonly quoted: boolean }
    | { readonly kind: 'sign'; readonly value: string }
    | { readonly kind: 'end' }
  )

/**
 * Text → tokens with their places. Full-width letters, digits and signs are read as their half-width twins, one for one,
 * so places are those of the user's own text. Comments run from `//` or `#` to the end of the line.
 */
export function tokenize(text: string): Token[] {
  if (text.length > limits.characters) {
    throw new FormulaError(22001, `公式过长：最多${limits.characters}个字符，现有${text.length}个`, null)
  }
  const plain = halfWidth(text)
  const tokens: Token[] = []
  let at = 0
  while (at < plain.length) {
    const next = skipBlank(plain, at)
    if (next >= plain.length) break
    const token = read(plain, text, next)
    tokens.push(token)
    if (tokens.length > limits.tokens) throw new FormulaError(22001, `公式过长：最多${limits.tokens}个词`, null)
    at = token.end
  }
  tokens.push({ kind: 'end', start: text.length, end: text.length })
  return tokens
}

/** Longest first. The right side is how the parser knows them. */
const signs: readonly (readonly [string, string])[] = [
  [':=', ':='],
  ['**', '^'],
  ['<=', '<='],
  ['>=', '>='],
  ['==', '=='],
  ['!=', '!='],
  ['<>', '!='],
  ['≤', '<='],
  ['≥', '>='],
  ['≠', '!='],
  ['||', 'or'],
  ['&&', 'and'],
  ...['+', '-', '*', '/', '%', '^', '<', '>', '?', ':', ';', ',', '(', ')'].map((sign) => [sign, sign] as const),
  ['=', '=='],
  ['!', 'not'],
]

const words: ReadonlySet<string> = new Set(['and', 'or', 'not'])

/** One for one, so that places stay. */
const twins: ReadonlyMap<string, string> = new Map([
  ['×', '*'],
  ['÷', '/'],
  ['−', '-'],
  ['–', '-'],
  ['“', '"'],
  ['”', '"'],
  ['‘', "'"],
  ['’', "'"],
  ['、', ','],
])
function halfWidth(text: string): string {
  let plain = ''
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 0xff01 && code <= 0xff5e) plain += String.fromCharCode(code - 0xfee0)
    else plain += twins.get(text[i] as string) ?? text[i]
  }
  return plain
}

function skipBlank(plain: string, from: number): number {
  let at = from
  for (;;) {
    while (at < plain.length && isBlank(plain.charCodeAt(at))) at++
    if (plain[at] !== '#' && !plain.startsWith('//', at)) return at
    const lineEnd = plain.indexOf('\n', at)
    if (lineEnd < 0) return plain.length
    at = lineEnd
  }
}

function read(plain: string, text: string, start: number): Token {
  const char = plain[start] as string
  if (isDigit(char) || (char === '.' && isDigit(plain[start + 1]))) return readNumber(plain, start)
  if (isLetter(plain.charCodeAt(start))) return readName(plain, start)
  if (char === '`') return readQuoted(plain, text, start, '`')
  if (char === '"' || char === "'") return readQuoted(plain, text, start, char)
  for (const [sign, value] of signs) {
    if (plain.startsWith(sign, start)) return { kind: 'sign', value, start, end: start + sign.length }
  }
  const code = text.codePointAt(start) as number
  const sign = String.fromCodePoint(code)
  const named = /\p{C}/u.test(sign) ? ` U+${code.toString(16).toUpperCase().padStart(4, '0')}` : `“${sign}”`
  throw new FormulaError(22002, `公式语法错误{place}：不认识的字符${named}`, { start, end: start + 1 })
}

function readNumber(plain: string, start: number): Token {
  let end = start
  while (isDigit(plain[end])) end++
  if (plain[end] === '.') {
    end++
    while (isDigit(plain[end])) end++
  }
  if (plain[end] === 'e' || plain[end] === 'E') {
    const signed = plain[end + 1] === '+' || plain[end + 1] === '-' ? 2 : 1
    if (isDigit(plain[end + signed])) {
      end += signed
      while (isDigit(plain[end])) end++
    }
  }
  const value = Number(plain.slice(start, end))
  // `20日` or `3x`: a number never runs into a name.
  if (isLetter(plain.charCodeAt(end)) || plain[end] === '.') {
    throw new FormulaError(22002, '公式语法错误{place}：数字后不能直接跟文字', { start: end, end: end + 1 })
  }
  if (!Number.isFinite(value)) throw new FormulaError(22002, '公式语法错误{place}：数字过大', { start, end })
  return { kind: 'number', value, start, end }
}

function readName(plain: string, start: number): Token {
  let end = start + 1
  while (end < plain.length && (isLetter(plain.charCodeAt(end)) || isDigit(plain[end]))) end++
  const value = plain.slice(start, end)
  const word = value.toLowerCase()
  if (words.has(word)) return { kind: 'sign', value: word, start, end }
  return { kind: 'name', value, quoted: false, start, end }
}

function readQuoted(plain: string, text: string, start: number, quote: string): Token {
  const close = plain.indexOf(quote, start + 1)
  const lineEnd = plain.indexOf('\n', start)
  if (close < 0 || (lineEnd >= 0 && lineEnd < close)) {
    throw new FormulaError(22002, '公式语法错误{place}：引号没有成对', { start, end: start + 1 })
  }
  const end = close + 1
  if (quote !== '`') return { kind: 'text', value: text.slice(start + 1, close), start, end }
  const value = plain.slice(start + 1, close).trim()
  if (value === '') throw new FormulaError(22002, '公式语法错误{place}：反引号内没有名称', { start, end })
  return { kind: 'name', value, quoted: true, start, end }
}

/** A name as it must be written to be read as one: in backticks where it is not of letters and digits, or is a word of the grammar. */
export function writtenName(name: string): string {
  const isBare = isLetter(name.charCodeAt(0)) && Array.from(name).every((char) => isLetter(char.charCodeAt(0)) || isDigit(char))
  return isBare && !words.has(name) ? name : `\`${name}\``
}

/** A text likewise: in the quotes that are not in it, curly and full-width ones too. */
export const writtenText = (text: string): string => (/["“”＂]/.test(text) ? `'${text}'` : `"${text}"`)

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000 || code === 0xfeff
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9'
}

/** Latin letters, the underscore, and Chinese characters (with the extension blocks of the basic plane). */
function isLetter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    code === 95 ||
    (code >= 0x4e00 && code <= 0x9fff) ||
    (code >= 0x3400 && code <= 0x4dbf)
  )
}

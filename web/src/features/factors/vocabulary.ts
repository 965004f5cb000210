import type { FactorMeta } from '@convexa/contract/factor'
import type { FactorFunction } from '@convexa/contract/reference'
import { initialsOf } from '../../base/pinyin.ts'
import { otherNamesOf } from '../rule/factor-labels.ts'
import { shownAs } from '../rule/factors.ts'

/** Entry of the completion list: a function or factor as the formula editor offers and explains it. */
export interface CompletionEntry {
  kind: 'function' | 'factor'
  /** As it is written into the formula. */
  text: string
  label: string
  /** Behind the label, grey: unit or family. */
  note: string
  doc: string
  /** Of a function: `ts_rank(x, n, [mp])`, and what each argument is. */
  signature?: string
  args?: readonly { name: string; desc: string; optional: boolean; repeat: boolean }[]
  example?: string
  /** Why it cannot be computed on the loaded data. */
  unavailable?: string
  /** What finds it, in lower case. */
  finds: readonly string[]
  category: string
}

export interface Vocabulary {
  words: readonly CompletionEntry[]
  /** By what is written, letters' case aside but for `STD`. */
  functionNamed(name: string): CompletionEntry | null
  factorNamed(name: string): CompletionEntry | null
}

export const noWords: Vocabulary = { words: [], functionNamed: () => null, factorNamed: () => null }

export function vocabularyOf(functions: readonly FactorFunction[], factors: readonly FactorMeta[]): Vocabulary {
  const made = [...functions.map(functionWord), ...factors.map(factorWord)]
  const functionWords = new Map<string, CompletionEntry>()
  functions.forEach(({ name, aliases }, i) => {
    const word = made[i]
    if (word) for (const one of [name, ...aliases]) functionWords.set(one, word)
  })
  const factorWords = new Map<string, CompletionEntry>()
  factors.forEach((factor, i) => {
    const word = made[functions.length + i]
    if (!word) return
    factorWords.set(plain(factor.factor_key), word)
    factorWords.set(plain(factor.factor_name), word)
  })
  return {
    words: made,
    functionNamed: (name) => functionWords.get(name) ?? functionWords.get(name.toLowerCase()) ?? null,
    factorNamed: (name) => {
      const wanted = plain(name.replaceAll('`', ''))
      return factorWords.get(wanted) ?? factorWords.get(wanted.replace(/_\d+(?=_|$)/, '_n')) ?? null
    },
  }
}

const plain = (name: string) => name.replaceAll(' ', '').toLowerCase()

function functionWord(entry: FactorFunction): CompletionEntry {
  const { name, aliases, label, category, args, description, example } = entry
  const shown = args.map((arg) => (arg.repeat ? `${arg.name}, …` : arg.optional ? `[${arg.name}]` : arg.name))
  return {
    kind: 'function',
    text: name,
    label,
    note: category,
    category,
    doc: description,
    signature: `${name}(${shown.join(', ')})`,
    args: args.map((arg) => ({ name: arg.name, desc: describedArgument(arg), optional: arg.optional, repeat: arg.repeat ?? false })),
    example,
    finds: [name, ...aliases, label, initialsOf(label)].map(plain),
  }
}

function describedArgument({ desc, default: value, min, max, choices }: FactorFunction['args'][number]): string {
  const range = min !== undefined && max !== undefined ? `${min}–${max}` : ''
  const usual = value === undefined ? '' : `默认 ${value}`
  const among = choices ? choices.join('、') : ''
  const more = [range, usual, among].filter(Boolean).join('，')
  return more ? `${desc}（${more}）` : desc
}

function factorWord(factor: FactorMeta): CompletionEntry {
  const { factor_key: key, factor_name: name, window, description, available, reason, category } = factor
  const text = window ? key.replace(/(^|_)N(?=_|$)/, `$1${window.default}`) : key
  const { percent, unit } = shownAs(factor)
  return {
    kind: 'factor',
    text,
    label: name,
    note: percent ? '小数' : unit || category,
    category,
    doc: description,
    ...(available ? {} : { unavailable: reason ?? '当前数据没有这个因子' }),
    finds: [key, name, initialsOf(name), ...otherNamesOf(factor)].map(plain),
  }
}

/** The best words for what is being written: those that begin so before those that hold it, what cannot be computed last. */
export function wordsFor(words: readonly CompletionEntry[], typed: string, most = 40): CompletionEntry[] {
  const wanted = plain(typed.normalize('NFKC').replaceAll('`', ''))
  if (wanted === '') return []
  const ranked: { word: CompletionEntry; rank: number }[] = []
  for (const word of words) {
    const places = word.finds.map((one) => one.indexOf(wanted))
    if (places.every((place) => place < 0)) continue
    const exact = word.finds.includes(wanted)
    const begins = places.includes(0)
    ranked.push({ word, rank: (word.unavailable ? 10 : 0) + (exact ? 0 : begins ? 1 : 2) })
  }
  return ranked
    .sort((a, b) => a.rank - b.rank || a.word.text.length - b.word.text.length)
    .slice(0, most)
    .map(({ word }) => word)
}

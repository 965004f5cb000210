/** Words in flags and enumerations that nobody knows. */
import { shown } from '@convexa/contract'
import type { Finding } from '../../db/tables/quality.ts'
import { ImportFileError, type SourceFile } from './source-file.ts'

/** Words that are none of a field's, by column and word: of flags they refuse the file, of other fields the cell is absent. */
export class StrangeWords {
  readonly #flags = new Map<string, Map<string, number>>()
  readonly #words = new Map<string, Map<string, number>>()

  addFlag(column: string, word: string): void {
    tally(this.#flags, column, word)
  }

  addWord(column: string, word: string): void {
    tally(this.#words, column, word)
  }

  /** @throws ImportFileError for flags */
  refuse(files: readonly SourceFile[]): void {
    const columnTexts = [...this.#flags].map(([column, words]) => `${column} 列有不认识的取值 ${counted(words)}`)
    if (columnTexts.length === 0) return
    throw new ImportFileError(
      'flag',
      `文件 ${files.map(({ name }) => name).join('、')} 的 ${columnTexts.join('；')}；标记可以写 1/0、是/否、true/false、Y/N，交易状态还可以写 交易/停牌、L/D/P`,
    )
  }

  findings(): Finding[] {
    return [...this.#words].map(([column, words]) => ({
      check: 'word',
      level: 'warning',
      count: [...words.values()].reduce((sum, each) => sum + each, 0),
      text: `${column} 列有不认识的取值，按缺失处理`,
      examples: [...words]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 5)
        .map(([word, times]) => `“${shown(word, 20)}” ${times} 次`),
    }))
  }
}

function tally(into: Map<string, Map<string, number>>, column: string, word: string): void {
  const words = into.get(column) ?? new Map<string, number>()
  into.set(column, words.set(word, (words.get(word) ?? 0) + 1))
}

const counted = (words: ReadonlyMap<string, number>): string =>
  [...words]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([word, times]) => `“${shown(word, 20)}”（${times} 次）`)
    .join('、')

/** Exit codes of the command line, told by `--help`. */
export const exits = { done: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const

const meanings: Readonly<Record<number, string>> = {
  [exits.done]: '成功',
  [exits.failed]: '没能完成（数据库、计算进程、磁盘等出错）',
  [exits.usage]: '用法有误（命令、参数、环境变量）',
  [exits.refused]: '文件或请求没有被接受，什么也没有改变',
  [exits.interrupted]: '被 Ctrl-C 中断',
}

/** The codes with what each means, of a command where it means something else. */
export const exitHelp = (own: Readonly<Record<number, string>> = {}): string =>
  `\n退出码：\n${Object.entries({ ...meanings, ...own })
    .map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`)
    .join('\n')}`

/** One mistake in a file or a request: where it is, and what was expected there in words. */
export interface Issue {
  readonly path: string
  readonly expected: string
}

/** Ends the command with a sentence for the operator. */
export class Stop extends Error {
  readonly exit: number
  /** Code of the product's table of errors; absent: the exit code tells the kind. */
  readonly code: number | undefined
  readonly issues: readonly Issue[] | undefined

  constructor(exit: number, message = '', about: { readonly code?: number; readonly issues?: readonly Issue[] } = {}) {
    super(message)
    this.exit = exit
    this.code = about.code
    this.issues = about.issues
  }
}

/** Exit codes of the command line, told by `--help`. */
export const exits = { done: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const

export const exitHelp = `
退出码：
  0    成功
  1    没能完成（数据库、计算进程、磁盘等出错）
  2    用法有误（命令、参数、环境变量）
  3    文件或请求没有被接受，什么也没有改变
  130  被 Ctrl-C 中断`

/** Ends the command with a sentence for the operator. */
export class Stop extends Error {
  readonly exit: number

  constructor(exit: number, message = '') {
    super(message)
    this.exit = exit
  }
}

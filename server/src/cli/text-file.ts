import { readFileSync } from 'node:fs'

/** The text of a file that an operator names; passes the reason of a failed read to `refuse`, in Chinese. */
export function textOf(file: string, refuse: (why: string) => never): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    return refuse(unreadable((error as NodeJS.ErrnoException).code))
  }
}

const systemWords: Record<string, string> = { ENOENT: '找不到文件', EACCES: '没有读取权限', EISDIR: '它是目录' }
const unreadable = (code: string | undefined): string => `无法读取（${systemWords[code ?? ''] ?? code ?? '未知原因'}）`

import { createInterface } from 'node:readline/promises'
import { exits, Stop } from './exits.ts'
import { isJson } from './output.ts'

/**
 * Goes on with `--yes`, or where somebody at a terminal agrees. Without a terminal nothing is asked.
 * @throws Stop 2 where nobody agreed and nobody can be asked, 130 where it was declined
 */
export async function confirm(danger: string, agreed: boolean): Promise<void> {
  if (agreed) return
  if (!process.stdin.isTTY || !process.stderr.isTTY || isJson()) throw new Stop(exits.usage, `${danger}。确定执行请加 --yes`)
  const asked = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const said = await asked.question(`${danger}。继续请输入 yes：`)
    if (said.trim().toLowerCase() !== 'yes') throw new Stop(exits.interrupted, '没有执行')
  } finally {
    asked.close()
  }
}

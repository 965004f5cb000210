import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { shown } from '@convexa/contract'
import { nearest } from '../base/nearest.ts'
import { serverFolder } from '../base/program-files.ts'
import { examples } from './examples.ts'
import { exits, Stop } from './exits.ts'
import { answer, answerWith, isJson, print } from './output.ts'
import { table } from './text.ts'

/** The folder of the examples, beside the packages. */
const folder = join(serverFolder, '..', 'examples')

/** `convexa example [NAME] [--out FILE]`. @throws Stop 3 for a name that there is not, or a file that is there */
export function example(name: string | undefined, { out }: { out?: string }): void {
  if (name === undefined) {
    if (out !== undefined) throw new Stop(exits.usage, '用法有误：--out 需与示例的名称一起使用')
    const rows = examples.map((each) => [each.name, each.text])
    answer(examples, () => `${table(rows)}\n用 ./convexa example 名称 打印其中一个`)
    return
  }
  const found = examples.find((each) => each.name === name)
  if (!found) {
    const meant = nearest(
      name,
      examples.map((each) => each.name),
    )
    throw new Stop(exits.refused, `没有示例“${shown(name, 40)}”${meant ? `，是否指 ${meant}？` : ''}用 ./convexa example 列出全部`)
  }
  const text = readFileSync(join(folder, found.file), 'utf8')
  if (out === undefined) {
    const own = () => text.trimEnd()
    if (isJson() && !found.file.endsWith('.json')) answer({ name, text }, own)
    else answerWith(own, own)
    return
  }
  try {
    writeFileSync(out, text, { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Stop(exits.refused, code === 'EEXIST' ? `文件已存在，没有写入：${shown(out, 200)}` : `无法写入 ${shown(out, 200)}（${code}）`)
  }
  print(`已写入 ${shown(out, 200)}`)
}

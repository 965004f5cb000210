import { shown } from '@convexa/contract'
import { readChanges } from '../market/code-change-file.ts'
import { addChanges, changeFaults, forgetChange, keptChanges } from '../market/code-changes.ts'
import { readCode } from '../market/import/cells/code.ts'
import { withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer, print } from './output.ts'
import { table } from './text.ts'
import { textOf } from './text-file.ts'

/** `convexa feed codes show`: codes that changed, and the origin of each change. */
export async function codesShow({ own }: { own?: boolean }): Promise<void> {
  await withCommandContext('database', async ({ db }) => {
    const kept = (await keptChanges(db)).filter(({ by }) => !own || by === 'operator')
    const rows = kept.map(({ change: [old, now, from], by }) => ({ old, new: now, from, by }))
    const cells = rows.map((row) => [row.old, row.new, row.from, row.by === 'operator' ? '运营者' : '程序'])
    answer(rows, () => `代码变更 ${rows.length} 条\n${table([['旧代码', '新代码', '新代码首日', '来自'], ...cells])}`)
  })
}

/** `convexa feed codes add`: the operator's changes, all of a file or none. */
export async function codesAdd(file: string, { check }: { check?: boolean }): Promise<void> {
  await withCommandContext('database', async ({ db, stay }) => {
    const refuse = (why: string): never => {
      throw new Stop(exits.refused, `${shown(file, 200)} 没有被接受：${why}`)
    }
    const read = readChanges(textOf(file, refuse))
    if (!read.ok) return refuse(`\n${read.problems.map((each) => `  ${each}`).join('\n')}`)
    const given = new Set(read.changes.map(([old]) => old))
    const others = (await keptChanges(db)).map(({ change }) => change).filter(([old]) => !given.has(old))
    const faults = changeFaults([...others, ...read.changes])
    if (faults.length > 0) return refuse(`\n${faults.map((each) => `  ${each}`).join('\n')}`)
    print(table(read.changes.map(([old, now, from]) => [old, '→', now, from])))
    if (check) {
      print('检查通过，没有保存。')
      return
    }
    stay()
    await addChanges(db, read.changes)
    print(`已保存 ${read.changes.length} 条，下一次 import 或 update 起使用；已导入的行情要重新导入才会合并。`)
  })
}

/** `convexa feed codes forget`: the operator's word on an old code is taken back. */
export async function codesForget(given: string): Promise<void> {
  await withCommandContext('database', async ({ db, stay }) => {
    const code = readCode(given, 'stk') ?? given
    stay()
    if (!(await forgetChange(db, code))) throw new Stop(exits.refused, `没有设置过 ${shown(code, 40)} 的变更`)
    print(`已撤销 ${code} 的设置，下一次 import 或 update 起不再使用。`)
  })
}

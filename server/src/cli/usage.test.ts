import { spawnSync } from 'node:child_process'
import { CommanderError } from 'commander'
import { expect, test, vi } from 'vitest'
import { commands } from './commands/command-table.ts'
import { completion } from './completion.ts'
import { program } from './program.ts'
import { usageSentence } from './usage.ts'

async function said(line: string): Promise<string> {
  const argv = line.split(' ').filter(Boolean)
  try {
    await program()
      .configureOutput({ writeErr: () => {} })
      .parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) return usageSentence(error, argv)
    throw error
  }
  throw new Error(`${line} was understood`)
}

test.each([
  ['imprt', '没有命令“imprt”，是否指 import？用 ./convexa --help 查看用法'],
  ['feed calendr show', '没有命令“calendr”，是否指 calendar？用 ./convexa feed --help 查看用法'],
  ['user lsit', '没有命令“lsit”，是否指 list？用 ./convexa user --help 查看用法'],
  ['buy', '没有命令“buy”。用 ./convexa --help 查看用法'],
  ['backtset cb x', '没有命令“backtset”，是否指 backtest？用 ./convexa --help 查看用法'],
  ['refund --ammount 3', '没有选项“--ammount”，是否指 --amount？用 ./convexa refund --help 查看用法'],
  ['screen cb x --jsn', '没有选项“--jsn”，是否指 --json？用 ./convexa screen --help 查看用法'],
  ['market --nothing-of-the-kind', '没有选项“--nothing-of-the-kind”。用 ./convexa market --help 查看用法'],
  ['import cb', '缺少参数“文件或目录”。用 ./convexa import --help 查看用法'],
  ['store move', '缺少选项“--to”。用 ./convexa store move --help 查看用法'],
  ['store move --to', '选项“--to”缺少值。用 ./convexa store move --help 查看用法'],
  ['import cb f --preset a --mapping b', '选项“--preset”不能与“--mapping”一起使用。用 ./convexa import --help 查看用法'],
  ['maintenance foo', '“foo”需为 on、off、status 之一。用 ./convexa maintenance --help 查看用法'],
  ['demo --size big', '“big”需为 full、small、wide、long 之一。用 ./convexa demo --help 查看用法'],
  ['import us f', '市场“us”不存在，可用 cb、stk、index。用 ./convexa import --help 查看用法'],
  ['migrate now', '参数太多。用 ./convexa migrate --help 查看用法'],
  ['user', '请指定一个命令。用 ./convexa user --help 查看用法'],
])('%s', async (line, sentence) => {
  expect(await said(line)).toBe(`用法有误：${sentence}`)
})

test.runIf(spawnSync('bash', ['-c', 'complete']).status === 0)('bash completes commands, subcommands, options and choices', () => {
  let script = ''
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void (script += text))
  completion('bash', commands)
  log.mockRestore()
  const asked: [string, string][] = [
    ['im', 'import'],
    ['user l', 'list'],
    ['user list --s', '--state'],
    ['user list --state l', 'leaving'],
    ['feed calendar f', 'forget'],
    ['maintenance o', 'on off'],
    ['--v', '--version'],
    ['refund --y', '--yes'],
  ]
  const ask = asked.map(([line]) => {
    const words = ['convexa', ...line.split(' ')]
    return `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; COMPREPLY=(); _convexa; echo "\${COMPREPLY[*]}"`
  })
  const ran = spawnSync('bash', [], { input: `${script}\n${ask.join('\n')}\n`, encoding: 'utf8' })
  expect([ran.stdout.trim().split('\n'), ran.stderr]).toEqual([asked.map(([, found]) => found), ''])
})

import { expect, test } from 'vitest'
import { program } from '../program.ts'
import type { CommandRow } from './command-row.ts'
import { commands } from './command-table.ts'

const runnable = commands.filter(({ load }) => load)

/** The same command line, in which each command only notes that it was called. */
function noting(calls: { name: string; given: readonly unknown[] }[]) {
  const noted = commands.map(
    (row): CommandRow =>
      row.load
        ? {
            ...row,
            load:
              async () =>
              (...given: readonly unknown[]) =>
                void calls.push({ name: row.name, given }),
          }
        : row,
  )
  return program(noted)
}

test.each(runnable)('$name: its example is understood and calls it', async ({ name, example, destroys }) => {
  const calls: { name: string; given: readonly unknown[] }[] = []
  const words = example!.split(' ')
  await noting(calls).parseAsync([...words, ...(destroys && !words.includes('--yes') ? ['--yes'] : [])], { from: 'user' })
  expect(calls.map((call) => call.name)).toEqual([name])
  expect(calls[0]!.given.at(-1)).toBeTypeOf('object')
})

test('a row that can be run has a work of its own, and every row a summary in Chinese', async () => {
  const works = await Promise.all(runnable.map(({ load }) => load!()))
  expect(works.every((work) => typeof work === 'function')).toBe(true)
  expect(new Set(works).size).toBe(works.length)
  expect(commands.filter(({ summary }) => !/\p{Script=Han}/u.test(summary))).toEqual([])
  expect(new Set(commands.map(({ name }) => name)).size).toBe(commands.length)
})

test('the help of every command is in Chinese throughout, with an example', () => {
  const all = program()
  for (const row of commands) {
    let at = all
    for (const word of row.name.split(' ')) at = at.commands.find((one) => one.name() === word)!
    let told = ''
    at.configureOutput({ writeOut: (text) => (told += text) }).outputHelp()
    expect(told).not.toMatch(/choices|default:|display|Usage|Options|\(default/)
    expect(told).toContain('退出码：')
    if (row.load) expect(told).toContain(`  ./convexa ${row.example}`)
    if (row.load) expect(told).toContain('--json')
    expect(told.includes('--yes,') || told.includes('-y, --yes')).toBe(Boolean(row.destroys))
  }
})

test.each(['refund', 'user delete', 'store audit', 'feed rollback'])(
  '%s does nothing without --yes where nobody can be asked',
  async (name) => {
    const calls: { name: string; given: readonly unknown[] }[] = []
    const { example, options } = commands.find((row) => row.name === name)!
    const words = example!.split(' ').filter((word) => !['--yes', '--list'].includes(word))
    if (options?.some(({ flags }) => flags === '--delete')) words.push('--delete')
    await expect(noting(calls).parseAsync(words, { from: 'user' })).rejects.toMatchObject({ exit: 2, message: /确定执行请加 --yes$/ })
    expect(calls).toEqual([])
  },
)

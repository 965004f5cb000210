import type { CommanderError } from 'commander'
import { nearest } from '../base/nearest.ts'
import { commands } from './commands/command-table.ts'

/** Commander's complaints by their code; `$1` and `$2` are what it names. */
const sentences: Record<string, string> = {
  'commander.missingArgument': '缺少参数“$1”',
  'commander.optionMissingArgument': '选项“$1”缺少值',
  'commander.missingMandatoryOptionValue': '缺少选项“$1”',
  'commander.unknownOption': '没有选项“$1”',
  'commander.unknownCommand': '没有命令“$1”',
  'commander.excessArguments': '参数太多',
  'commander.conflictingOption': '选项“$1”不能与“$2”一起使用',
  'commander.help': '请指定一个命令',
}

/** A usage error as one Chinese sentence with what was probably meant and where to look. `argv`: what was typed after the program. */
export function usageSentence({ code, message }: CommanderError, argv: readonly string[]): string {
  // Options come with the places of their values, `--to <地址>`.
  const [named = '', other = ''] = [...message.matchAll(/'([^']*)'/g)].map(([, name = '']) => name.replace(/ <.*>$/, ''))
  // What our own parsers say follows commander's English.
  const own = code === 'commander.invalidArgument' ? message.split(/ is invalid(?: for argument '[^']*')?\. /).at(-1) : undefined
  const sentence = sentences[code]?.replace('$1', () => named).replace('$2', () => other) ?? own ?? message
  const path = commandIn(argv)
  const meant = suggestion(code, named, path)
  const help = ['./convexa', ...path, '--help'].join(' ')
  return `用法有误：${sentence}${meant === null ? '。' : `，是否指 ${meant}？`}用 ${help} 查看用法`
}

/** The words that name a command, as far as there is one. */
function commandIn(argv: readonly string[]): readonly string[] {
  const path: string[] = []
  for (const word of argv.filter((each) => !each.startsWith('-'))) {
    const longer = [...path, word].join(' ')
    if (!commands.some(({ name }) => name === longer)) break
    path.push(word)
  }
  return path
}

function suggestion(code: string, given: string, path: readonly string[]): string | null {
  if (code === 'commander.unknownCommand') return nearest(given, subcommands(path))
  if (code === 'commander.unknownOption') return nearest(given, longOptions(path))
  return null
}

const subcommands = (path: readonly string[]): readonly string[] =>
  commands.map(({ name }) => name.split(' ')).flatMap((words) => childOf(path, words))

const childOf = (path: readonly string[], words: readonly string[]): readonly string[] =>
  words.length === path.length + 1 && path.every((word, at) => words[at] === word) ? [words.at(-1)!] : []

const longOptions = (path: readonly string[]): readonly string[] => {
  const row = commands.find(({ name }) => name === path.join(' '))
  return [...(row?.options ?? []).map(({ flags }) => flags.split(' ')[0]!), '--help', '--json', ...(row?.destroys ? ['--yes'] : [])]
}

/** Commander's own headings and words in Chinese. */
export const headings: Record<string, string> = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Global Options:': '通用选项：',
  'Commands:': '命令：',
}

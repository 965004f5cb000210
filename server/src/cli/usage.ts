import type { CommanderError } from 'commander'

/** Commander's complaints by their code; `$1` is what it names. */
const sentences: Record<string, string> = {
  'commander.missingArgument': '缺少参数“$1”',
  'commander.optionMissingArgument': '选项“$1”缺少值',
  'commander.missingMandatoryOptionValue': '缺少选项“$1”',
  'commander.unknownOption': '没有选项“$1”',
  'commander.unknownCommand': '没有命令“$1”',
  'commander.excessArguments': '参数太多',
  'commander.conflictingOption': '选项“$1”与别的选项冲突',
  'commander.help': '请指定一个命令',
}

/** A usage error as one Chinese sentence with where to look. */
export function usageSentence({ code, message }: CommanderError): string {
  const named = /'([^']*)'/.exec(message)?.[1] ?? ''
  // What our own parsers say follows commander's English.
  const own = code === 'commander.invalidArgument' ? message.split("'. ").at(-1) : undefined
  const sentence = sentences[code]?.replace('$1', named) ?? own ?? message
  return `用法有误：${sentence}。用 ./convexa --help 查看用法`
}

/** Commander's own headings and words in Chinese. */
export const headings: Record<string, string> = {
  'Usage:': '用法：',
  'Arguments:': '参数：',
  'Options:': '选项：',
  'Global Options:': '通用选项：',
  'Commands:': '命令：',
}

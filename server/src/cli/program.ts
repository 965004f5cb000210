import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import type { ArgumentRow, CommandRow, OptionRow } from './commands/command-row.ts'
import { commands } from './commands/command-table.ts'
import { confirm } from './confirm.ts'
import { exitHelp } from './exits.ts'
import { cells } from './text.ts'
import { headings } from './usage.ts'

/** The command line, built of the table of commands. Each one's work is in a file of its own, loaded when asked for. */
export function program(rows: readonly CommandRow[] = commands): Command {
  const convexa = inOurWords(new Command('./convexa'))
    .description(
      '凸度量化的命令行：导入行情、筛选、回测、检查与维护站点、管理用户、会员方案与订单。\n服务器运行时使用它的数据库与计算进程，否则自行启动，用完收起。',
    )
    .usage('<命令> [选项]')
    .option('-V, --version', '显示版本')
    .addHelpText('after', exitHelp())
  const made = new Map<string, Command>([['', convexa]])
  for (const row of rows) {
    const words = row.name.split(' ')
    const parent = made.get(words.slice(0, -1).join(' '))
    if (!parent) throw new Error(`the row that holds "${row.name}" comes after it`)
    made.set(row.name, add(parent, words.at(-1)!, row))
  }
  return convexa.helpCommand('help [命令]', '显示某个命令的用法')
}

/** Settings that the commands below inherit. */
const inOurWords = (command: Command): Command =>
  command
    .helpOption('-h, --help', '显示用法')
    .configureHelp({
      styleTitle: (title) => headings[title] ?? title,
      subcommandTerm: (sub) => [sub.name(), ...sub.registeredArguments.map(shownAs)].join(' '),
      argumentTerm: (argument) => argument.name(),
      argumentDescription: ({ description, argChoices }) => described(description, argChoices),
      optionDescription: ({ description, argChoices, defaultValue }) => described(description, argChoices, defaultValue),
      displayWidth: cells,
    })
    .configureOutput({ outputError: () => {} })
    .showSuggestionAfterError(false)
    .exitOverride()

function add(parent: Command, name: string, row: CommandRow): Command {
  const command = parent
    .command(name)
    .summary(row.summary)
    .description(row.description ?? row.summary)
  for (const argument of row.args ?? []) command.addArgument(argumentOf(argument))
  for (const option of row.options ?? []) command.addOption(optionOf(option))
  const { load } = row
  if (load) {
    command.option('--json', row.json === undefined ? '以 JSON 打印结果' : `以 JSON 打印：${row.json}`)
    if (row.destroys) command.option('-y, --yes', '不再询问，直接执行')
    command.action(async (...given: unknown[]) => {
      const options = command.opts()
      const danger = row.destroys?.(options) ?? null
      if (danger !== null) await confirm(danger, options['yes'] === true)
      const run = await load()
      // The command itself comes last, and is no business of what it runs.
      await run(...(given.slice(0, -1) as never[]))
    })
  } else command.helpCommand(false)
  const used = [...command.registeredArguments.map(shownAs), '[选项]']
  return command
    .usage((load ? used : ['<命令>', '[选项]']).join(' '))
    .addHelpText('after', `${row.example === undefined ? '' : `\n示例：\n  ./convexa ${row.example}\n`}${exitHelp(row.exits)}`)
}

const shownAs = (argument: Argument): string => (argument.required ? `<${argument.name()}>` : `[${argument.name()}]`)

function described(text: string, choices: readonly string[] | undefined, usual?: unknown): string {
  const missing = choices?.every((choice) => text.includes(choice)) ? undefined : choices
  const notes = [missing && `可用 ${missing.join('、')}`, typeof usual === 'string' && `默认 ${usual}`].filter(Boolean)
  return notes.length > 0 ? `${text}（${notes.join('；')}）` : text
}

function argumentOf({ name, help, optional, choices, read }: ArgumentRow): Argument {
  const argument = new Argument(optional ? `[${name}]` : `<${name}>`, help)
  if (choices) argument.choices(choices).argParser(oneOf(choices))
  return read ? argument.argParser(read) : argument
}

const oneOf = (choices: readonly string[]) => (given: string) => {
  if (choices.includes(given)) return given
  throw new InvalidArgumentError(`“${given}”需为 ${choices.join('、')} 之一`)
}

function optionOf({ flags, help, choices, default: usual, required, conflicts, read }: OptionRow): Option {
  const option = new Option(flags, help)
  if (choices) option.choices(choices).argParser(oneOf(choices))
  if (read) option.argParser(read)
  if (usual !== undefined) option.default(usual)
  if (required) option.makeOptionMandatory()
  if (conflicts) option.conflicts(conflicts)
  return option
}

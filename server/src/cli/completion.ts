import type { CommandRow, OptionRow } from './commands/command-row.ts'
import { print } from './output.ts'

export type Shell = 'bash' | 'zsh' | 'fish' | 'powershell'

/** What may follow the words of a command. */
interface Place {
  readonly path: string
  /** Subcommands and the choices of its first argument. */
  readonly words: readonly { readonly word: string; readonly help: string }[]
  readonly options: readonly {
    readonly word: string
    readonly help: string
    readonly choices: readonly string[]
    readonly takes: boolean
  }[]
  /** It takes a file. */
  readonly files: boolean
}

/** `convexa completion SHELL`: a script that knows all words beforehand, since each start of the program would be felt at the keyboard. */
export function completion(shell: Shell, commands: readonly CommandRow[]): void {
  print(scripts[shell](places(commands)))
}

const fileNames = new Set(['文件', '文件或目录', '请求文件', '目录'])

function places(commands: readonly CommandRow[]): readonly Place[] {
  const rows: readonly CommandRow[] = [{ name: '', summary: '' }, ...commands]
  return rows.map((row) => {
    const depth = row.name === '' ? 0 : row.name.split(' ').length
    const below = commands.filter(({ name }) => name.split(' ').length === depth + 1 && (depth === 0 || name.startsWith(`${row.name} `)))
    const choices = (row.args ?? []).flatMap((argument) => argument.choices ?? [])
    return {
      path: row.name,
      words: [
        ...below.map(({ name, summary }) => ({ word: name.split(' ').at(-1)!, help: summary })),
        ...choices.map((word) => ({ word, help: '' })),
      ],
      options: [...(row.options ?? []), ...commonOptions(row)].map(optionIn),
      files: [...(row.args ?? []).map(({ name }) => name), ...(row.options ?? []).map(({ flags }) => /<(.+)>/.exec(flags)?.[1] ?? '')].some(
        (name) => fileNames.has(name),
      ),
    }
  })
}

const commonOptions = (row: CommandRow): readonly OptionRow[] => [
  ...(row.load ? [{ flags: '--json', help: '以 JSON 打印' }] : []),
  ...(row.destroys ? [{ flags: '--yes', help: '不再询问' }] : []),
  { flags: '--help', help: '显示用法' },
  ...(row.name === '' ? [{ flags: '--version', help: '显示版本' }] : []),
]

const optionIn = ({ flags, help, choices }: OptionRow) => ({
  ...{ word: flags.split(' ')[0]!, help, choices: choices ?? [] },
  takes: flags.includes('<'),
})

const wordsOf = (place: Place): string => [...place.words, ...place.options].map(({ word }) => word).join(' ')

/** Text between single quotes of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const scripts: Readonly<Record<Shell, (all: readonly Place[]) => string>> = {
  bash: (all) => `# bash: source <(./convexa completion bash)
_convexa() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' word words files='' known
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    known=" ${all.map(({ path }) => path.replaceAll(' ', '/')).join(' ')} "
    [[ $known == *" \${path:+$path/}$word "* ]] && path=\${path:+$path/}$word
  done
  case "$path $before" in
${all
  .flatMap(({ path, options }) =>
    options.flatMap(({ word, choices }) =>
      choices.length > 0
        ? [
            `    ${quoted(`${path.replaceAll(' ', '/')} ${word}`)}) COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current")); return ;;`,
          ]
        : [],
    ),
  )
  .join('\n')}
  esac
  case "$path" in
${all
  .map((place) => `    ${quoted(place.path.replaceAll(' ', '/'))}) words='${wordsOf(place)}'${place.files ? ' files=yes' : ''} ;;`)
  .join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  [[ $files ]] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _convexa convexa`,

  zsh: (all) => `#compdef convexa
# zsh: source <(./convexa completion zsh)
_convexa() {
  local place='' word
  local -a candidates
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place/}$word" in
      ${all
        .slice(1)
        .map(({ path }) => path.replaceAll(' ', '/'))
        .join('|')}) place="\${place:+$place/}$word" ;;
    esac
  done
  case "$place" in
${all
  .map((place) => {
    const candidates = [...place.words, ...place.options].map(({ word, help }) => quoted(`${word}:${help.replaceAll(':', '\\:')}`))
    return `    ${quoted(place.path.replaceAll(' ', '/'))}) candidates=(${candidates.join(' ')})${place.files ? '; _files' : ''} ;;`
  })
  .join('\n')}
  esac
  _describe 'convexa' candidates
}
compdef _convexa convexa`,

  fish: (all) => `# fish: ./convexa completion fish | source
function __convexa_at
  set -l place
  for word in (commandline -opc)[2..]
    set -l longer (string trim "$place $word")
    contains -- "$longer" ${all
      .slice(1)
      .map(({ path }) => quoted(path))
      .join(' ')}; and set place "$longer"
  end
  test "$place" = "$argv[1]"
end
${all
  .flatMap(({ path, words, options, files }) => {
    const condition = `-n ${quoted(`__convexa_at ${quoted(path)}`)}`
    return [
      ...words.map(({ word, help }) => `complete -c convexa ${files ? '' : '-f '}${condition} -a ${quoted(word)} -d ${quoted(help)}`),
      ...options.map(
        ({ word, help, choices, takes }) =>
          `complete -c convexa ${condition} -l ${word.slice(2)} -d ${quoted(help)}${choices.length > 0 ? ` -x -a ${quoted(choices.join(' '))}` : takes ? ' -r' : ''}`,
      ),
    ]
  })
  .join('\n')}`,

  powershell: (all) => `# PowerShell: ./convexa completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName convexa, convexa.mjs -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $places = @{
${all.map((place) => `    '${place.path}' = '${wordsOf(place)}'`).join('\n')}
  }
  $place = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    $longer = "$place $element".Trim()
    if ($places.ContainsKey($longer)) { $place = $longer }
  }
  $places[$place] -split ' ' | Where-Object { $_ -like "$wordToComplete*" } |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}`,
}

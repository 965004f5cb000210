import type { Shell } from '../completion.ts'
import type { CommandRow } from './command-row.ts'
import { feedCommands } from './feed-commands.ts'
import { inspectionCommands } from './inspection-commands.ts'
import { marketCommands } from './market-commands.ts'
import { moneyCommands } from './money-commands.ts'
import { siteCommands } from './site-commands.ts'
import { userCommands } from './user-commands.ts'

/** Every command, in the order of the help. A row stands after the row that holds it. */
export const commands: readonly CommandRow[] = [
  ...marketCommands,
  ...inspectionCommands,
  ...siteCommands,
  ...feedCommands,
  ...userCommands,
  ...moneyCommands,
  {
    name: 'completion',
    summary: '生成命令补全脚本',
    description:
      '打印一个命令行解释器的补全脚本：\n  bash        source <(./convexa completion bash)\n  zsh         source <(./convexa completion zsh)\n  fish        ./convexa completion fish | source\n  powershell  ./convexa completion powershell | Out-String | Invoke-Expression',
    args: [{ name: '解释器', help: 'bash、zsh、fish 或 powershell', choices: ['bash', 'zsh', 'fish', 'powershell'] }],
    example: 'completion bash',
    load: async () => {
      const { completion } = await import('../completion.ts')
      return (shell: Shell) => completion(shell, commands)
    },
  },
]

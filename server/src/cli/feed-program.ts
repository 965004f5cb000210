import { type Command, Option } from 'commander'
import { feedNames } from '../feeds/settings.ts'

/** `convexa feed …`: the sources of market data. */
export function feedCommands(command: (name: string) => Command): void {
  const feed = command('feed').summary('行情数据源').description('行情数据源：启用了哪些、各提供什么、能否应答。')
  feed
    .command('status')
    .summary('数据源的设置与状态')
    .description('列出每个数据源是否启用、凭据是否设置、提供哪些数据，以及每种数据按什么次序询问。凭据本身不显示。')
    .option('--ask', '向启用的数据源各问一个小问题，看能否应答')
    .addOption(new Option('--only <数据源>', '只看一个').choices(feedNames))
    .option('--json', '打印为 JSON')
    .action(async (options) => (await import('./feed-status.ts')).feedStatus(options))
}

import { marketIds } from '@convexa/contract/enums/market'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { type SnapshotKind, snapshotKinds, snapshotLabels } from '../market/manifest.ts'
import { backupCommands } from './backup-program.ts'
import { exitHelp } from './exits.ts'
import { feedCommands } from './feed-program.ts'
import { momentOption } from './moment.ts'
import { moneyCommands } from './money-program.ts'
import { cells } from './text.ts'
import { headings } from './usage.ts'
import { userCommands } from './user-program.ts'

const marketArgument = (known: readonly SnapshotKind[]) =>
  new Argument('<市场>', known.map((kind) => `${kind} ${snapshotLabels[kind]}`).join('，')).argParser((given) => {
    if (known.some((kind) => kind === given)) return given
    throw new InvalidArgumentError(`市场“${given}”不存在，可用 ${known.join('、')}`)
  })
const kindArgument = marketArgument(marketIds)

function endsAfterOption(given: string): number {
  const days = Number(given)
  if (Number.isInteger(days) && days >= 20 && days <= 1_000) return days
  throw new InvalidArgumentError(`天数“${given}”应为 20 至 1000 的整数`)
}

/** The commands and their words; each one's work is in the file of its name, loaded when asked for. */
export function program(): Command {
  const convexa = new Command('./convexa').description(
    '凸度量化的命令行：导入行情、筛选、回测、管理用户、会员方案、订单与维护模式。\n服务器运行时使用它的数据库与计算进程，否则自行启动，用完收起。',
  )
  const command = (name: string) => convexa.command(name)

  command('import')
    .summary('导入行情文件')
    .description('从 Parquet 或 CSV 导入行情。先全部检查，合格才发布；不合格的文件不改变任何数据。')
    .addArgument(marketArgument(snapshotKinds))
    .argument('<文件或目录>', 'Parquet 或 CSV 文件，或其所在目录')
    .addOption(new Option('--preset <名称>', '已知文件的列对应关系；不指定时按列名识别').conflicts('mapping'))
    .addOption(new Option('--mapping <文件>', '自定义的列对应关系（JSON）'))
    .addOption(
      new Option('--ends-after <天数>', '文件末尾连续这么多个交易日没有行的股票按已退出处理，不指定时为 120').argParser(endsAfterOption),
    )
    .action(async (kind, path, options) => (await import('./import.ts')).importFiles(kind, path, options))

  command('update')
    .summary('追加新的交易日，或更正已有的行')
    .description(
      '把文件中的行并入已导入的行情：新的交易日接在后面，已有的日期与代码按行更正，其余不变。文件的列与导入时相同。\n检查与导入一样严格，不合格的文件不改变任何数据。',
    )
    .addArgument(kindArgument)
    .argument('<文件或目录>', 'Parquet 或 CSV 文件，或其所在目录')
    .addOption(new Option('--preset <名称>', '已知文件的列对应关系；不指定时按列名识别').conflicts('mapping'))
    .addOption(new Option('--mapping <文件>', '自定义的列对应关系（JSON），需与导入时相同'))
    .action(async (kind, path, options) => (await import('./import.ts')).updateFrom(kind, path, options))

  command('demo')
    .summary('生成演示行情')
    .description('生成两个市场与指数的演示行情（模拟生成，非真实行情），截至最近一个收盘的交易日，并发布。')
    .addOption(
      new Option('--size <规模>', 'full 300 只转债与 1,000 只股票、六年；small 小样本；wide 5,500 只股票；long 十年')
        .choices(['full', 'small', 'wide', 'long'])
        .default('full'),
    )
    .action(async (options) => (await import('./demo.ts')).demo(options))

  command('backtest')
    .summary('回测一个策略')
    .description('按请求文件回测，打印指标、年度收益与期末持仓。文件含 parameters 与 settings 两个成员。')
    .addArgument(kindArgument)
    .argument('<请求文件>', 'JSON 文件')
    .option('--json', '打印完整报告（JSON）')
    .action(async (kind, file, options) => (await import('./backtest.ts')).backtest(kind, file, options))

  command('screen')
    .summary('按条件筛选某日的标的')
    .description('按请求文件中的 parameters 筛选并排名，打印名单。')
    .addArgument(kindArgument)
    .argument('<请求文件>', 'JSON 文件')
    .option('--date <日期>', 'YYYY-MM-DD；非交易日取其前一个交易日；不指定为最近一日')
    .option('--json', '打印完整结果（JSON）')
    .action(async (kind, file, options) => (await import('./screen.ts')).screen(kind, file, options))

  const market = command('market')
    .summary('查看已导入的行情')
    .description('各市场的行情从何日到何日、有多少标的与字段、检查出的问题。')
    .option('--json', '打印为 JSON')
    .action(async (options) => (await import('./market.ts')).market(options))
  market
    .command('repair')
    .summary('重新检查被标记为损坏的行情')
    .description('逐个核对被标记为损坏的行情快照：文件完好的恢复使用，仍然损坏的说明如何重新生成或导入。')
    .addArgument(new Argument('<市场>', `${marketIds.join('、')} 或 index`).choices(snapshotKinds))
    .action(async (kind) => (await import('./market.ts')).repairMarket(kind))

  command('migrate')
    .summary('升级数据库')
    .description(
      '把数据库的表升级到本程序的版本，逐项进行，中断后可再次运行。\n设置了 DATABASE_URL 的站点在换用新程序前运行一次；内置数据库在启动时自动升级。',
    )
    .action(async () => (await import('./migrate.ts')).migrateDatabase())

  const database = command('database').summary('数据库')
  database
    .command('copy')
    .summary('把站点搬到另一个数据库')
    .description(
      '把全部数据复制到另一个空的 PostgreSQL：从内置数据库换到自己的服务器，或换到新的大版本。\n先停止网站或开启维护模式。表由本命令建立，复制在一个事务中完成并逐表核对；中断后目标数据库没有内容，可再次运行。',
    )
    .requiredOption('--to <地址>', '目标数据库，如 postgres://用户:密码@主机/库名；经过连接池时填其后的直连地址')
    .action(async (options) => (await import('./database.ts')).copyDatabase(options))

  backupCommands(command, database)

  const secret = command('secret').summary('加密数据的密钥')
  secret
    .command('generate')
    .summary('生成一个密钥')
    .description('打印 256 位随机数，可作为 SECRET_KEY 或 METRICS_TOKEN。')
    .action(async () => (await import('./secret.ts')).generateSecret())
  secret
    .command('rotate')
    .summary('更换 SECRET_KEY')
    .description(
      '把用 SECRET_KEY_OLD 加密的内容逐批改用 SECRET_KEY 加密，期间网站照常运行。\n先让所有进程同时知道两个密钥，再交换两者并运行本命令，最后去掉旧密钥（docs/operations.md）。中断后可再次运行。',
    )
    .action(async () => (await import('./secret.ts')).rotate())

  const store = command('store').summary('对象存储')
  store
    .command('audit')
    .summary('核对对象存储与数据库的登记')
    .description('列出没有登记的对象，以及登记过却不在、长度不符的对象，说明哪些行情与回测受影响。')
    .option('--verify', '把每个对象读出来核对内容')
    .option('--delete', '删除没有登记的对象')
    .action(async (options) => (await import('./store.ts')).audit(options))
  store
    .command('move')
    .summary('把存放的内容复制到另一处')
    .description(
      '把行情、上传文件、数据源答复、回测结果与分享的报告复制到另一个对象存储并读回核对，期间网站照常运行，原处的内容不删除。\n先运行一次，再在维护模式下运行一次，然后更改 STORE_URL（docs/operations.md）。中断后可再次运行。',
    )
    .requiredOption('--to <地址>', '与 STORE_URL 相同的写法；密钥取自 STORE_ACCESS_KEY_ID 与 STORE_SECRET_ACCESS_KEY')
    .action(async (options) => (await import('./store.ts')).move(options))

  command('runs')
    .summary('已保存的回测')
    .command('pack')
    .summary('压缩旧版本保存的回测结果')
    .description(
      '旧版本保存的完整报告逐个重新计算，结果逐日相同的改为约五十 KB 的保存方式，其余保持原样；报告的内容不变。\n网站空闲时会自动进行；本命令一次做完，中断后可再次运行。',
    )
    .option('--json', '打印为 JSON')
    .action(async (options) => (await import('./runs.ts')).pack(options))

  command('maintenance')
    .summary('维护模式：开、关、查看')
    .description('维护期间网站的每个接口答复“系统维护中”，健康检查、站点信息与支付回调除外。一秒内对所有进程生效。')
    .addArgument(new Argument('<on|off|status>', '开、关或查看').choices(['on', 'off', 'status']))
    .addOption(new Option('--until <时间>', '预计恢复的时间，告诉访客，如 2026-11-21T02:00（北京时间）').argParser(momentOption))
    .action(async (turn, options) => (await import('./maintenance.ts')).maintenance(turn, options))

  feedCommands(command)
  userCommands(command('user'))
  moneyCommands(command)

  for (const one of withSubcommands(convexa)) {
    one
      .helpOption('-h, --help', '显示用法')
      .usage(one.commands.length > 0 ? '<命令> [选项]' : `${argumentsOf(one)} [选项]`)
      .configureHelp({
        styleTitle: (title) => headings[title] ?? title,
        subcommandTerm: (sub) => `${sub.name()} ${argumentsOf(sub)}`,
        displayWidth: cells,
      })
      .configureOutput({ outputError: () => {} })
      .addHelpText('after', exitHelp)
      .exitOverride()
  }
  return convexa.helpCommand('help [命令]', '显示某个命令的用法')
}

const withSubcommands = (command: Command): Command[] => [command, ...command.commands.flatMap(withSubcommands)]

const argumentsOf = (command: Command): string =>
  command.registeredArguments.map((argument) => `<${argument.name().replace(/[<>]/g, '')}>`).join(' ')

import { accountLabel } from '@convexa/contract/account'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'

const who = () => new Argument('<用户>', '登录账号（手机号或邮箱），或用户 ID')

const wholeNumber = (most: number) => (given: string) => {
  const value = /^\d{1,6}$/.test(given) ? Number(given) : 0
  if (value >= 1 && value <= most) return value
  throw new InvalidArgumentError(`“${given}”需为 1 至 ${most} 的整数`)
}

/** `convexa user …`: what it takes to run a site. Each act is written to the audit table. */
export function userCommands(user: Command): void {
  user.summary('管理用户').description('查看、建立、停用用户，赠送会员天数。每个操作都记入审计表，不可更改。')
  const act = async () => import('./user.ts')

  user
    .command('list')
    .summary('用户列表')
    .addOption(new Option('--offset <个>', '跳过的个数').argParser(wholeNumber(999_999)))
    .addOption(new Option('--limit <个>', '最多显示的个数，默认 20').argParser(wholeNumber(1_000)))
    .addOption(new Option('--state <状态>', '只看一种').choices(['active', 'disabled', 'leaving']))
    .option('--json', '打印为 JSON')
    .action(async (options) => (await act()).list(options))
  user
    .command('show')
    .summary('一个用户')
    .addArgument(who())
    .option('--json', '打印为 JSON')
    .action(async (name, options) => (await act()).show(name, options))
  user
    .command('create')
    .summary('建立用户')
    .description('建立用户。密码从标准输入读取（--password-stdin），否则随机生成并只显示这一次。')
    .addArgument(new Argument('<账号>', accountLabel))
    .option('--nickname <昵称>', '不指定时取账号的开头')
    .option('--password-stdin', '从标准输入读密码')
    .action(async (account, options) => (await act()).create(account, options))
  user
    .command('set-password')
    .summary('设置新密码，并退出该用户的全部设备')
    .addArgument(who())
    .option('--password-stdin', '从标准输入读密码')
    .action(async (name, options) => (await act()).setPassword(name, options))
  user
    .command('disable')
    .summary('停用用户，立即退出其全部设备')
    .addArgument(who())
    .action(async (name) => (await act()).disable(name))
  user
    .command('enable')
    .summary('恢复停用的用户')
    .addArgument(who())
    .action(async (name) => (await act()).enable(name))
  user
    .command('grant-vip')
    .summary('赠送会员天数')
    .addArgument(who())
    .addArgument(new Argument('<天数>', '从现在或现有会员到期之时起').argParser(wholeNumber(3_660)))
    .action(async (name, days) => (await act()).grantVip(name, days))
  user
    .command('revoke-sessions')
    .summary('退出该用户的全部设备')
    .addArgument(who())
    .action(async (name) => (await act()).revokeSessions(name))
  user
    .command('delete')
    .summary('按用户要求注销：7 天后删除，期间可撤销')
    .addArgument(who())
    .action(async (name) => (await act()).remove(name))
  user
    .command('restore')
    .summary('撤销注销')
    .addArgument(who())
    .action(async (name) => (await act()).comeBack(name))
  user
    .command('copy')
    .summary('取回恢复出的数据库中一个用户的策略、组合、因子与 QMT 配置')
    .description(
      '把用户在另一个数据库（./convexa database serve 打印的地址）中的策略、组合、因子与 QMT 配置加到现有内容旁边：相同的不重复，重名的加“（恢复）”，QMT 配置为停用。\n订单、会员、登录与加密的账号不复制。',
    )
    .addArgument(who())
    .requiredOption('--from <地址>', '恢复出的数据库的地址')
    .action(async (name, options) => (await act()).copyFrom(name, options))
  user
    .command('audit')
    .summary('审计记录')
    .addArgument(new Argument('[用户]', '只看一个用户'))
    .addOption(new Option('--limit <条>', '最多显示的条数，默认 50').argParser(wholeNumber(10_000)))
    .option('--json', '打印为 JSON')
    .action(async (name, options) => (await act()).auditTrail(name, options))
}

import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { momentOption } from './moment.ts'

function timelineOption(given: string): number {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new InvalidArgumentError(`时间线“${given}”需为正整数`)
}

/** `convexa backup` and `convexa restore`. */
export function backupCommands(command: (name: string) => Command, database: Command): void {
  command('backup')
    .summary('备份内置数据库与文件')
    .description(
      '把内置数据库、行情与上传的文件加密备份到 BACKUP_URL，期间网站照常运行。\n设置了 BACKUP_URL 的网站每天在 BACKUP_HOUR 自动备份，并持续传送其后的写入。',
    )
    .option('--fast', '不限制读取速度（默认每秒最多 30 MB）')
    .action(async (options) => (await import('./backup.ts')).backup(options))

  command('restore')
    .summary('从备份恢复')
    .description(
      '把备份恢复为一个数据目录：先核对备份，再取回数据库与文件，重放写入到最后一刻或指定的时刻，检查后才给目录改名。\n需要备份时的 SECRET_KEY。只写入空目录；中断后可再次运行。',
    )
    .addArgument(new Argument('<备份地址>', '与 BACKUP_URL 相同的写法'))
    .addOption(new Option('--to-time <时间>', '恢复到这个时刻，如 2026-11-21T02:00（北京时间）').argParser(momentOption))
    .option('--into <目录>', '不指定时为 DATA_DIR')
    .addOption(new Option('--rehearse', '演练：恢复到 DATA_DIR 下的临时目录，检查后删除，不影响正在运行的网站').conflicts('into'))
    .option('--base <备份>', '从这个备份开始，如 20261120T190000Z；不指定时取最近的一个')
    .addOption(
      new Option('--timeline <编号>', '恢复过的站点的备份有几条时间线时，沿哪一条；不指定时为最新的一条').argParser(timelineOption),
    )
    .option('--skip-damaged', '略过损坏的文件，WAL 损坏时恢复到它之前')
    .action(async (from, options) => (await import('./backup.ts')).restore(from, options))

  database
    .command('serve')
    .summary('只启动一个数据目录的数据库')
    .description(
      '启动恢复出的数据目录中的数据库，打印它的地址，直到按 Ctrl-C；不启动网站，不发消息，不查支付。\n用于 ./convexa user copy 取回一个用户。',
    )
    .addArgument(new Argument('<目录>', '恢复出的数据目录'))
    .action(async (folder) => (await import('./database.ts')).serveDatabase(folder))
}

import { InvalidArgumentError } from 'commander'
import { feedNames } from '../../config/feeds.ts'
import { ingestOrder } from '../../feeds/ingest/ingest-order.ts'
import { snapshotKinds, snapshotLabels } from '../../market/manifest.ts'
import { dayOption } from '../day.ts'
import { type CommandRow, within } from './command-row.ts'

const dayText = '文本文件（UTF-8）'

function yearOption(given: string): number {
  if (/^\d{4}$/.test(given)) return Number(given)
  throw new InvalidArgumentError(`年份“${given}”无法识别，应如 2027`)
}
const year = { name: '年份', help: '如 2027', read: yearOption } as const

const codeAct = () => import('../feed-codes.ts')
/** Codes of shares that changed while the share went on. */
const codeCommands: readonly CommandRow[] = [
  {
    name: 'show',
    summary: '列出代码变更',
    options: [{ flags: '--own', help: '只看运营者设置的' }],
    example: 'feed codes show --own',
    json: '代码变更',
    load: async () => (await codeAct()).codesShow,
  },
  {
    name: 'add',
    summary: '添加或更正代码变更',
    description: '文件每行写旧代码、新代码与新代码的首日，如 430017.BJ 920017.BJ 2025-10-09；“#”开头的行不读。',
    args: [{ name: '文件', help: dayText }],
    options: [{ flags: '--check', help: '只检查并显示，不保存' }],
    example: 'feed codes add codes.txt --check',
    load: async () => (await codeAct()).codesAdd,
  },
  {
    name: 'forget',
    summary: '撤销运营者对一个旧代码的设置',
    args: [{ name: '旧代码' }],
    example: 'feed codes forget 430017.BJ',
    load: async () => (await codeAct()).codesForget,
  },
]

const calendarAct = () => import('../feed-calendar.ts')
/** The days on which the exchanges trade, beyond the program's own table. */
const calendarCommands: readonly CommandRow[] = [
  {
    name: 'show',
    summary: '日历到哪一天，来自哪里',
    example: 'feed calendar show',
    json: '交易日历',
    load: async () => (await calendarAct()).calendarShow,
  },
  {
    name: 'set',
    summary: '设置一年的休市日',
    description:
      '按交易所的休市安排通知设置一年的休市日，或更正已有的一年。文件可以是通知原文，也可以每行一个日期或一段日期，如：\n' +
      '  元旦：1月1日（星期五）至1月3日（星期日）休市，1月4日（星期一）起照常开市。\n  2027-02-05 至 2027-02-11\n' +
      '周末不必写，“#”开头的行不读。须是完整的一年：法定节假日缺一个都不接受。保存后运行中的服务随即使用。',
    args: [year, { name: '文件', help: dayText }],
    options: [
      { flags: '--check', help: '只检查并显示，不保存' },
      { flags: '--besides', help: '文件中有法定节假日之外的休市日（如 2015-09-03），照样接受' },
    ],
    example: 'feed calendar set 2027 notice.txt --check',
    load: async () => (await calendarAct()).calendarSet,
  },
  {
    name: 'forget',
    summary: '撤销运营者对一年的设置',
    description: '撤销后使用数据源或程序自带的日历；都没有时，这一年重新成为未知。',
    args: [year],
    example: 'feed calendar forget 2027',
    load: async () => (await calendarAct()).calendarForget,
  },
]

const act = () => import('../feed.ts')
const rows: readonly CommandRow[] = [
  {
    name: 'status',
    summary: '数据源的设置与状态',
    description: '列出每个数据源是否启用、凭据是否设置、提供哪些数据，以及每种数据按什么次序询问。凭据本身不显示。',
    options: [
      { flags: '--ask', help: '向启用的数据源各问一个小问题，看能否应答' },
      { flags: '--only <数据源>', help: '只看一个', choices: feedNames },
    ],
    example: 'feed status --ask',
    json: '数据源',
    load: async () => (await import('../feed-status.ts')).feedStatus,
  },
  {
    name: 'run',
    summary: '采集缺少的交易日',
    description:
      '向启用的数据源依次询问缺少的交易日，检查合格才发布；不合格的一天不改变任何数据，并停在这一天。\n原始应答保存在 DATA_DIR/raw。中断后再次执行，从中断处继续。',
    options: [
      { flags: '--market <市场>', help: '只采集一个', choices: ingestOrder },
      {
        flags: '--day <日期>',
        help: '重新询问这一天：更正已发布的一天，或发布回滚过的一天',
        read: dayOption,
        conflicts: 'from',
      },
      { flags: '--from <日期>', help: '还没有行情的市场从这一天开始', read: dayOption },
    ],
    example: 'feed run --market cb',
    load: async () => (await act()).feedRun,
  },
  {
    name: 'check',
    summary: '全面检查已发布的行情',
    description: '核对每个数据文件的校验和、交易日是否齐全，并用采集时的规则复查最近 250 个交易日的每一行。有错误时退出码为 1。',
    example: 'feed check',
    exits: { 1: '行情有错误，或没能完成' },
    load: async () => (await act()).feedCheck,
  },
  {
    name: 'rollback',
    summary: '恢复较早的一版行情',
    description: '重新发布上一版（或用 --to 指定的一版）。被撤回的交易日不再自动采集，用 feed run --day 确认后再发布。',
    args: [{ name: '市场', help: snapshotKinds.map((kind) => `${kind} ${snapshotLabels[kind]}`).join('，'), choices: ingestOrder }],
    options: [
      { flags: '--to <版本>', help: '要恢复的版本号；不指定为上一版' },
      { flags: '--list', help: '只列出保留的版本' },
    ],
    example: 'feed rollback cb --list',
    destroys: (options) => (options['list'] ? null : '将撤回正在使用的一版行情，被撤回的交易日不再自动采集'),
    load: async () => (await act()).feedRollback,
  },
  {
    name: 'calendar',
    summary: '交易日历',
    description:
      '交易日历：程序自带的年份之后，由数据源得知，或由运营者按交易所的通知设置。\n启用的数据源自十一月起每天询问下一年，全年公布后才采用；运营者的设置优先。',
  },
  ...within('calendar', calendarCommands),
  {
    name: 'codes',
    summary: '代码变更',
    description:
      '证券代码的变更：旧代码与新代码的行情在导入时合为一只，规则、名单与持仓里的旧代码即指新代码。\n程序自带北交所 2025 年换用 920 代码等变更，运营者可以补充或更正。',
  },
  ...within('codes', codeCommands),
]

/** `convexa feed …`: the sources of market data. */
export const feedCommands: readonly CommandRow[] = [
  { name: 'feed', summary: '行情数据源', description: '行情数据源：启用了哪些、能否应答；采集、检查与回滚行情。' },
  ...within('feed', rows),
]

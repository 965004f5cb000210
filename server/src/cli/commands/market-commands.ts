import { marketIds } from '@convexa/contract/enums/market'
import { InvalidArgumentError } from 'commander'
import { snapshotKinds } from '../../market/manifest.ts'
import type { CommandRow, OptionRow } from './command-row.ts'
import { marketArgument } from './readers.ts'

const marketOfRules = marketArgument(marketIds)
const marketFiles = { name: '文件或目录', help: 'Parquet 或 CSV 文件，或其所在目录' } as const
const requestFile = { name: '请求文件', help: 'JSON 文件，写法见 ./convexa schema request' } as const
const preset: OptionRow = { flags: '--preset <名称>', help: '已知文件的列对应关系；不指定时按列名识别', conflicts: 'mapping' }

function endsAfterOption(given: string): number {
  const days = Number(given)
  if (Number.isInteger(days) && days >= 20 && days <= 1_000) return days
  throw new InvalidArgumentError(`天数“${given}”应为 20 至 1000 的整数`)
}

/** Market data, and what is computed from them. */
export const marketCommands: readonly CommandRow[] = [
  {
    name: 'import',
    summary: '导入行情文件',
    description: '从 Parquet 或 CSV 导入行情。先全部检查，合格才发布；不合格的文件不改变任何数据。',
    args: [marketArgument(snapshotKinds), marketFiles],
    options: [
      preset,
      { flags: '--mapping <文件>', help: '自定义的列对应关系（JSON），写法见 ./convexa schema mapping' },
      {
        flags: '--ends-after <天数>',
        help: '文件末尾连续这么多个交易日没有行的股票按已退出处理，不指定时为 120',
        read: endsAfterOption,
      },
    ],
    example: 'import cb examples/cb.csv --mapping examples/mapping.json',
    load: async () => (await import('../import.ts')).importFiles,
  },
  {
    name: 'update',
    summary: '追加新的交易日，或更正已有的行',
    description:
      '把文件中的行并入已导入的行情：新的交易日接在后面，已有的日期与代码按行更正，其余不变。文件的列与导入时相同。\n检查与导入一样严格，不合格的文件不改变任何数据。',
    args: [marketOfRules, marketFiles],
    options: [preset, { flags: '--mapping <文件>', help: '自定义的列对应关系（JSON），需与导入时相同' }],
    example: 'update stk 今日.csv --mapping mapping.json',
    load: async () => (await import('../import.ts')).updateFrom,
  },
  {
    name: 'demo',
    summary: '生成演示行情',
    description: '生成两个市场与指数的演示行情（模拟生成，非真实行情），截至最近一个收盘的交易日，并发布。',
    options: [
      {
        flags: '--size <规模>',
        help: 'full 300 只转债与 1,000 只股票、六年；small 小样本；wide 5,500 只股票；long 十年',
        choices: ['full', 'small', 'wide', 'long'],
        default: 'full',
      },
    ],
    example: 'demo --size small',
    json: '各市场的版本、证券数与日期',
    load: async () => (await import('../demo.ts')).demo,
  },
  {
    name: 'backtest',
    summary: '回测一个策略',
    description: '按请求文件回测，打印指标、年度收益与期末持仓。文件含 parameters 与 settings 两个成员。',
    args: [marketOfRules, requestFile],
    example: 'backtest cb examples/request-cb.json',
    json: '完整报告',
    load: async () => (await import('../backtest.ts')).backtest,
  },
  {
    name: 'screen',
    summary: '按条件筛选某日的标的',
    description: '按请求文件中的 parameters 筛选并排名，打印名单。',
    args: [marketOfRules, requestFile],
    options: [{ flags: '--date <日期>', help: 'YYYY-MM-DD；非交易日取其前一个交易日；不指定为最近一日' }],
    example: 'screen cb examples/request-cb.json --date 2026-06-30',
    json: '完整结果',
    load: async () => (await import('../screen.ts')).screen,
  },
  {
    name: 'market',
    summary: '查看已导入的行情',
    description: '各市场的行情从何日到何日、有多少标的与字段、检查出的问题。',
    example: 'market',
    json: '各市场的行情',
    load: async () => (await import('../market.ts')).market,
  },
  {
    name: 'market repair',
    summary: '重新检查被标记为损坏的行情',
    description: '逐个核对被标记为损坏的行情快照：文件完好的恢复使用，仍然损坏的说明如何重新生成或导入。',
    args: [marketArgument(snapshotKinds)],
    example: 'market repair cb',
    exits: { 1: '有快照仍然损坏' },
    load: async () => (await import('../market.ts')).repairMarket,
  },
]

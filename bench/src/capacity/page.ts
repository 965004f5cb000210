import type { Kind, Measured } from './measured.ts'
import { type Capacity, capacityOf, modelUsers } from './model.ts'

const labels: Readonly<Record<Kind, string>> = {
  screen: '筛选，每人每 10 秒改一次条件',
  'quick run': '每次修改后的速览回测',
  'page or list': '页面与列表，每人每 5 秒一次',
  'live refresh': '实时刷新，2,000 人每 5 秒一次',
  'stored run': '保存的回测',
  'report opened': '打开回测报告',
  'day page': '翻看某一天',
  login: '开盘前的登录',
}

const tableText = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, columns.map((_, k) => (k === 0 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

const number = (value: number, digits = 1): string =>
  value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
const count = (value: number): string => number(value, 0)
const size = (bytes: number): string => {
  for (const [unit, of] of [
    ['TB', 1e12],
    ['GB', 1e9],
    ['MB', 1e6],
    ['KB', 1e3],
  ] as const)
    if (bytes >= of) return `${number(bytes / of)} ${unit}`
  return `${count(bytes)} B`
}

/** The page docs/capacity.md, from measured rows: nothing in it is written by hand. */
export function capacityPage(measured: Measured): string {
  const whole = capacityOf(measured, modelUsers)
  const rows = whole.rows.map(({ kind, rate, cores }) => {
    const { api, worker, database } = measured.cost[kind]
    return [labels[kind], number(rate), ...[api, worker, database].map((ms) => number(ms, 2)), number(cores)]
  })
  const { cores } = whole
  const sum = ['**合计（核）**', '', number(cores.api), number(cores.worker), number(cores.database), `**${number(cores.all)}**`]
  return `# 容量估算

本页由 \`npm run capacity\` 根据 \`bench/RESULTS.md\` 中实测的处理器时间计算，不手工修改。测量环境：${measured.on}。

## 负载模型

注册用户 100 万，同时在线 ${count(modelUsers)}；每天保存 10 万次回测，其中 15% 集中在最忙的一小时，60% 的报告会被打开，每份翻看 2 天。其余频率见下表。

## 处理器

每次请求的处理器时间（毫秒）与最忙一小时所需的核数：

${tableText(['负载', '每秒', '网页服务', '计算进程', '数据库', '核'], [...rows, sum])}

## 其他资源

${tableText(['资源', '数量'], resourcesOf(whole, measured))}

保存的回测按会员方案保留，以上按 70% 来自免费用户计算，未计入 100 与 2,000 次的上限，因此偏高。

## 机器

按所需的两倍配置：

${tableText(
  ['同时在线', '网页服务（8 核 16 GB）', '计算进程（16 核 32 GB）', '数据库（16 核 64 GB）', '其中备库', '不经连接池的会话'],
  [1_000, modelUsers].map((users) => machineRow(capacityOf(measured, users))),
)}

\`npm run capacity -- --prices 文件\` 按自己填写的单价（JSON：\`core\`、\`memoryGb\`、\`keptGb\`、\`writtenGb\`、\`sentGb\`，均为每月）计算每月与每位在线用户的费用。本项目不提供任何价格。
`
}

const machineRow = ({ users, machines }: Capacity): string[] => [
  count(users),
  count(machines.api),
  count(machines.worker),
  count(machines.database + machines.standbys),
  count(machines.standbys),
  count(machines.sessions),
]

const resourcesOf = ({ written, kept, sentASecond }: Capacity, { stored }: Measured): string[][] => [
  ['一次保存的回测：结果', size(stored.core)],
  ['一次保存的回测：数据库的行', size(stored.row)],
  ['每天写入的结果', size(written.coresADay)],
  ['每天写入数据库的行', size(written.rowsADay)],
  ['最忙一小时的预写日志', `${size(written.walASecond)}/秒`],
  ['长期保留的结果', size(kept.cores)],
  ['长期保留的行', size(kept.rows)],
  ['发往浏览器（最忙一小时）', `${size(sentASecond)}/秒`],
]

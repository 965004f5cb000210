import { fieldLabels } from '@convexa/contract/field-labels'
import { InvalidArgumentError } from 'commander'
import { fenOf } from '../../payment/bill.ts'
import { dayOption } from '../day.ts'
import { type CommandRow, type OptionRow, within } from './command-row.ts'
import { serial, wholeNumber } from './readers.ts'

function yuan(given: string): number {
  const fen = fenOf(given)
  if (fen !== null && fen >= 1 && fen <= 10_000_000) return fen
  throw new InvalidArgumentError(`“${given}”需为 0.01 至 100000 的金额，单位元，最多两位小数`)
}

function id(given: string): string {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given
  throw new InvalidArgumentError(`“${given}”不是编号`)
}

const plan = { name: '方案', help: '方案的编号', read: id } as const
const order = { name: '订单', help: '订单的编号', read: id } as const
const someId = '0195a1b2-0000-7000-8000-000000000001'
const act = () => import('../money.ts')

const days: OptionRow = { flags: '--days <天>', help: '会员天数，一天为 24 小时', read: wholeNumber(1, 3_660) }
const price: OptionRow = { flags: '--price <元>', help: '价格，如 29.00', read: yuan }
const otherTerms: readonly OptionRow[] = [
  { flags: '--origin <元>', help: '划线价', read: yuan },
  { flags: '--place <序号>', help: '排列的位置，小的在前', read: wholeNumber(0, 999) },
  { flags: '--recommended', help: '标为首选' },
]

const planCommands: readonly CommandRow[] = [
  { name: 'list', summary: '方案列表', example: 'plans list', json: '方案', load: async () => (await act()).listPlans },
  {
    name: 'add',
    summary: '新增方案，立即上架',
    args: [{ name: '名称' }],
    options: [{ ...days, required: true }, { ...price, required: true }, ...otherTerms],
    example: 'plans add 月度会员 --days 30 --price 29.00',
    json: '方案的编号',
    load: async () => (await act()).addPlan,
  },
  {
    name: 'change',
    summary: '修改方案',
    args: [plan],
    options: [
      { flags: '--name <名称>', help: '新的名称' },
      days,
      price,
      ...otherTerms,
      { flags: '--no-recommended', help: '不再标为首选' },
    ],
    example: `plans change ${someId} --price 25.00`,
    load: async () => (await act()).changePlan,
  },
  { name: 'on', summary: '上架', args: [plan], example: `plans on ${someId}`, load: async () => (await act()).offerPlan },
  {
    name: 'off',
    summary: '下架：不再出售，已有的订单不受影响',
    args: [plan],
    example: `plans off ${someId}`,
    load: async () => (await act()).withdrawPlan,
  },
]

const orderCommands: readonly CommandRow[] = [
  {
    name: 'list',
    summary: '订单列表，新的在前',
    options: [
      { flags: '--user <用户>', help: '只看一个用户' },
      { flags: '--status <状态>', help: '只看一种，0 至 6', read: wholeNumber(0, 6) },
      { flags: '--limit <个>', help: '最多显示的个数，默认 20', read: wholeNumber(1, 1_000) },
    ],
    example: 'orders list --user 13800138000',
    json: '订单',
    load: async () => (await act()).listOrders,
  },
  {
    name: 'show',
    summary: '一个订单的全部经过',
    args: [order],
    example: `orders show ${someId}`,
    json: '订单与它的经过',
    load: async () => (await act()).showOrder,
  },
]

const anomalyCommands: readonly CommandRow[] = [
  { name: 'list', summary: '待处理的异常', example: 'anomalies list', json: '异常', load: async () => (await act()).listAnomalies },
  {
    name: 'resolve',
    summary: '标为处理完毕',
    args: [{ name: '异常', help: '异常的编号', read: serial('编号') }],
    options: [{ flags: '--note <说明>', help: '如何处理的，记入审计', required: true }],
    example: 'anomalies resolve 12 --note 已在商户平台退回',
    load: async () => (await act()).resolveAnomaly,
  },
]

/** What is sold and the money for it. Each change is written to the audit table. */
export const moneyCommands: readonly CommandRow[] = [
  {
    name: 'plans',
    summary: fieldLabels.plan_id,
    description: '会员方案：列出、新增、修改、上架与下架。已有的订单保持下单时的名称、天数与价格。',
  },
  ...within('plans', planCommands),
  { name: 'orders', summary: '订单', description: '查看订单：何时由谁改变、每次支付、退款、会员天数。' },
  ...within('orders', orderCommands),
  {
    name: 'reconcile',
    summary: '与微信支付的账单对账',
    description: '下载微信支付的交易账单，与本站的记录双向核对；账单中有而本站没有的款项随即入账。后台进程每日十点后自动对账。',
    args: [{ name: '日期', help: '北京时间的一天；不指定为所有应对而未对的日子', optional: true, read: dayOption }],
    example: 'reconcile 2026-11-20',
    json: '核对的日子、还没有对账的日子与异常',
    load: async () => (await act()).reconcile,
  },
  { name: 'anomalies', summary: '异常款项', description: '与本站记录不符的款项与退款：列出，查清并处理后标为完毕。' },
  ...within('anomalies', anomalyCommands),
  {
    name: 'refund',
    summary: '退款',
    description:
      '退还一个订单的款项，由后台进程向微信支付提出，直到退成。全额退款时收回会员天数。超过 500 元需由两位操作者先后执行同一命令。',
    args: [order],
    options: [
      { flags: '--amount <元>', help: '退款金额；不指定为尚未退还的全部', read: yuan },
      { flags: '--keep-days', help: '全额退款但不收回会员天数' },
    ],
    example: `refund ${someId} --amount 10.00 --yes`,
    destroys: () => '退出的款项不能收回',
    load: async () => (await act()).refund,
  },
]

import { fieldLabels } from '@convexa/contract'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { fenOf } from '../payment/bill.ts'
import { dayOption } from './day.ts'

const yuan = (given: string): number => {
  const fen = fenOf(given)
  if (fen !== null && fen >= 1 && fen <= 10_000_000) return fen
  throw new InvalidArgumentError(`“${given}”需为 0.01 至 100000 的金额，单位元，最多两位小数`)
}
const anomalyId = (given: string): number => {
  if (/^[1-9]\d{0,8}$/.test(given)) return Number(given)
  throw new InvalidArgumentError(`“${given}”不是编号`)
}
const wholeNumber = (least: number, most: number) => (given: string) => {
  const value = /^\d{1,6}$/.test(given) ? Number(given) : Number.NaN
  if (value >= least && value <= most) return value
  throw new InvalidArgumentError(`“${given}”需为 ${least} 至 ${most} 的整数`)
}
const id = (given: string): string => {
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given)) return given
  throw new InvalidArgumentError(`“${given}”不是编号`)
}
const planId = () => new Argument('<方案>', '方案的编号').argParser(id)
const orderId = () => new Argument('<订单>', '订单的编号').argParser(id)

/** `convexa plans …`, `orders …`, `reconcile`, `anomalies …`, `refund`: what is sold and the money for it. Each change is written to the audit table. */
export function moneyCommands(command: (name: string) => Command): void {
  const act = async () => import('./money.ts')
  const terms = (one: Command, isNew: boolean): Command => {
    const add = (option: Option) =>
      one.addOption(isNew && ['days', 'price'].includes(option.attributeName()) ? option.makeOptionMandatory() : option)
    add(new Option('--days <天>', '会员天数，一天为 24 小时').argParser(wholeNumber(1, 3_660)))
    add(new Option('--price <元>', '价格，如 29.00').argParser(yuan))
    add(new Option('--origin <元>', '划线价').argParser(yuan))
    add(new Option('--place <序号>', '排列的位置，小的在前').argParser(wholeNumber(0, 999)))
    return one
  }

  const plans = command('plans')
    .summary(fieldLabels.plan_id)
    .description('会员方案：列出、新增、修改、上架与下架。已有的订单保持下单时的名称、天数与价格。')
  plans
    .command('list')
    .summary('方案列表')
    .option('--json', '打印为 JSON')
    .action(async (options) => (await act()).listPlans(options))
  terms(plans.command('add').summary('新增方案，立即上架').argument('<名称>'), true)
    .option('--recommended', '标为首选')
    .action(async (name, options) => (await act()).addPlan(name, options))
  terms(plans.command('change').summary('修改方案').addArgument(planId()).option('--name <名称>'), false)
    .option('--recommended', '标为首选')
    .option('--no-recommended', '不再标为首选')
    .action(async (plan, options) => (await act()).changePlan(plan, options))
  plans
    .command('on')
    .summary('上架')
    .addArgument(planId())
    .action(async (plan) => (await act()).changePlan(plan, { onSale: true }))
  plans
    .command('off')
    .summary('下架：不再出售，已有的订单不受影响')
    .addArgument(planId())
    .action(async (plan) => (await act()).changePlan(plan, { onSale: false }))

  const orders = command('orders').summary('订单').description('查看订单：何时由谁改变、每次支付、退款、会员天数。')
  orders
    .command('list')
    .summary('订单列表，新的在前')
    .option('--user <用户>', '只看一个用户')
    .addOption(new Option('--status <状态>', '只看一种，0 至 6').argParser(wholeNumber(0, 6)))
    .addOption(new Option('--limit <个>', '最多显示的个数，默认 20').argParser(wholeNumber(1, 1_000)))
    .option('--json', '打印为 JSON')
    .action(async (options) => (await act()).listOrders(options))
  orders
    .command('show')
    .summary('一个订单的全部经过')
    .addArgument(orderId())
    .option('--json', '打印为 JSON')
    .action(async (order, options) => (await act()).showOrder(order, options))

  command('reconcile')
    .summary('与微信支付的账单对账')
    .description('下载微信支付的交易账单，与本站的记录双向核对；账单中有而本站没有的款项随即入账。后台进程每日十点后自动对账。')
    .addArgument(new Argument('[日期]', '北京时间的一天；不指定为所有应对而未对的日子').argParser(dayOption))
    .option('--json', '打印为 JSON')
    .action(async (given, options) => (await act()).reconcile(given, options))

  const anomalies = command('anomalies').summary('异常款项').description('与本站记录不符的款项与退款：列出，查清并处理后标为完毕。')
  anomalies
    .command('list')
    .summary('待处理的异常')
    .option('--json', '打印为 JSON')
    .action(async (options) => (await act()).listAnomalies(options))
  anomalies
    .command('resolve')
    .summary('标为处理完毕')
    .addArgument(new Argument('<异常>', '异常的编号').argParser(anomalyId))
    .requiredOption('--note <说明>', '如何处理的，记入审计')
    .action(async (anomaly, options) => (await act()).resolveAnomaly(anomaly, options))

  command('refund')
    .summary('退款')
    .description(
      '退还一个订单的款项，由后台进程向微信支付提出，直到退成。全额退款时收回会员天数。超过 500 元需由两位操作者先后执行同一命令。',
    )
    .addArgument(orderId())
    .addOption(new Option('--amount <元>', '退款金额；不指定为尚未退还的全部').argParser(yuan))
    .option('--keep-days', '全额退款但不收回会员天数')
    .action(async (order, options) => (await act()).refund(order, options))
}

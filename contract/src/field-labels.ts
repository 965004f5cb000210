import { accountLabels } from './account-labels.ts'
import { qmtLabels } from './qmt-labels.ts'
import { ruleLabels } from './rule-labels.ts'

/** What the fields of requests are called in a sentence. A test holds that every field of every call stands here. */
export const fieldLabels = {
  ...ruleLabels,
  ...accountLabels,
  ...qmtLabels,

  // lists and lookups
  id: '编号',
  id2: '编号',
  offset: '起始位置',
  limit: '条数',
  keys: '名称列表',
  year: '年份',
  kind: '市场',
  status: '状态',
  note: '备注',
  up_to: '提醒编号',
  from: '开始日期',
  to: '结束日期',
  date: '日期',
  name: '名称',
  description: '说明',
  type: '类型',

  // screens, factors, bins
  codes: '代码列表',
  trade_date: '交易日',
  trade_dates: '交易日列表',
  span: '时间跨度',
  history: '历史天数',
  with_values: '返回取值',
  facts: '返回条款',
  previous: '上次名单',
  need: '返回内容',
  forward: '后续天数',
  latest: '至今',
  formula: '公式',
  factor_name: '因子名称',
  unit: '单位',
  decimals: '小数位数',
  force: '确认删除',
  bins: '分箱数',
  method: '分箱方式',
  ties: '相同值的处理',
  forward_days: '后续天数',
  rebalance_days: '调仓天数',
  second: '第二个因子',
  pool_mode: '标的池',

  // what a client sends and asks for
  list_items: '名单',
  score: '得分',
  sell_items: '卖出名单',
  volume: '数量',
  holdings: '持仓',
  holdings_text: '持仓文本',
  hash: '确认码',
  with_key: '附带密钥',
  client_version: '客户端版本',
  fresh: '行情是否更新',
  fills: '成交回报',
  order_id: '订单号',
  side: '买卖方向',
  filled: '成交数量',
  price: '价格',
  ordered_at: '委托时间',
  use: '采用哪一份',
  journal: '交易记录',
  n: '记录行数',
  opening: '期初记录',
  may_order: '当日仍可委托',
  resting: '待核对项',
  why: '原因',
  since: '起始日期',
  book: '账本数量',
  changes: '账本变更',
  before: '变更前数量',
  after: '变更后数量',
  words: '已采纳的答复',
  offset_ms: '时钟偏差',
  session: '登录序号',
  start: '启动记录',
  starts: '写过账本的进程',
  seq: '记录序号',
  proof: '结果依据',
  parts: '报告部分',

  // quotes that a terminal pushes
  rows: '行情',
  time: '时间',
  lastPrice: '最新价',
  open: '开盘价',
  high: '最高价',
  low: '最低价',
  close: '收盘价',
  lastClose: '昨收价',
  preClose: '昨收价',
  amount: '成交额',
  suspendFlag: '停牌标志',
  forceRedeemTradeDate: '强赎最后交易日',
  forceRedeemConvDate: '强赎最后转股日',
  forceRedeemPrice: '强赎价格',
} as const satisfies Record<string, string>

/**
 * A place of a request in words: `['parameters', 'filter_factors', 2, 'value']` → `条件第 3 项的取值`. A name that is no field is what
 * somebody wrote and is quoted: the code of a list by code, an unknown member.
 */
export function placeInWords(path: readonly PropertyKey[]): string {
  const at = path.findLastIndex((part) => typeof part === 'number')
  const [before, after] = [path.slice(0, Math.max(at, 0)), path.slice(at + 1)]
  const leaf = after.at(-1)
  if (at < 0) return leaf === undefined ? '请求内容' : nameOf(leaf)
  const list = before.findLast((part) => typeof part !== 'number')
  const item = `${list === undefined ? '' : nameOf(list)}第 ${Number(path[at]) + 1} 项`
  return leaf === undefined ? item : `${item}的${nameOf(leaf)}`
}

function nameOf(part: PropertyKey): string {
  const name = String(part)
  return Object.hasOwn(fieldLabels, name) ? fieldLabels[name as keyof typeof fieldLabels] : `「${name.slice(0, 40)}」`
}

import { dataModes } from '@convexa/contract/enums/data-mode'
import { fills } from '@convexa/contract/enums/fill'
import { metricLabel } from '@convexa/contract/enums/metric'
import { metricFormulas } from '@convexa/contract/enums/metric-formula'
import { missingValues } from '@convexa/contract/enums/missing-value'
import { robustnessChecks } from '@convexa/contract/enums/robustness-check'
import { labelOf, valuesOf } from '@convexa/contract/enums/table'
import { qmtLabels } from '@convexa/contract/qmt-labels'
import { ruleLabels } from '@convexa/contract/rule-labels'
/**
 * The words of the trade, each in four lines: what it means to a beginner, how it is computed here, how it is misread, where to see it.
 * The formulas are those of the engine (242 trading days a year, risk-free rate 0). Fetched when a word is first asked about.
 */
export interface GlossaryEntry {
  name: string
  group: Group
  meaning: string
  formula: string
  mistake: string
  /** Into the product. */
  link: { label: string; to: string }
  /** What finds it besides its name: other names, the factor's key. */
  words?: string
}

export const groups = ['可转债', '规则', '检验', '绩效', '成交与数据', '实盘'] as const
type Group = (typeof groups)[number]

const screen = (label: string) => ({ label, to: '/rotation/convertible-bond/screen' })
const backtest = (label: string) => ({ label, to: '/rotation/convertible-bond/backtest' })
const binning = (label: string) => ({ label, to: '/rotation/convertible-bond/binning' })
const grid = (label: string) => ({ label, to: '/rotation/convertible-bond/grid' })
const factors = (label: string) => ({ label, to: '/customized-factors' })
const qmt = (label: string) => ({ label, to: '/qmt' })

const bonds = {
  conv_prem: {
    name: '转股溢价率',
    group: '可转债',
    meaning: '按现价买转债再转成股票，比直接买正股贵多少。越低，转债越跟着正股走。',
    formula: '转债价格 ÷ 转股价值 − 1',
    mistake: '公式里它是小数，0.12 才是 12%；和价格相加前要先乘 100。',
    link: screen('在实时筛选里看'),
    words: '溢价率 conv_prem',
  },
  conv_value: {
    name: '转股价值',
    group: '可转债',
    meaning: '一张转债现在全部转成股票，按正股现价值多少钱。',
    formula: '100 ÷ 转股价 × 正股价格',
    mistake: '转股价会因分红和下修改变，要用当日有效的转股价，不是发行时的。',
    link: screen('在实时筛选里看'),
    words: '平价 conv_value',
  },
  pure_value: {
    name: '纯债价值',
    group: '可转债',
    meaning: '不看转股权，只当普通债券，这张转债值多少钱。常被叫作债底。',
    formula: '剩余利息与到期赎回价，按同评级债券的收益率折现',
    mistake: '债底不是不会跌破的底：评级下调或违约时它自己也会往下走。',
    link: screen('在实时筛选里看'),
    words: '债底 pure_value',
  },
  bond_prem: {
    name: '纯债溢价率',
    group: '可转债',
    meaning: '价格比债底高出多少。越低，越接近一只普通债券。',
    formula: '转债价格 ÷ 纯债价值 − 1',
    mistake: '它低不等于安全，债底按同评级估算，发行人出问题时估算会失准。',
    link: screen('在实时筛选里看'),
    words: 'bond_prem',
  },
  dblow: {
    name: '双低',
    group: '可转债',
    meaning: '同时要价格低和溢价率低，两个数加在一起排序，越小越靠前。',
    formula: '转债价格 + 转股溢价率 × 100',
    mistake: '双低值一样，可能一个是低价高溢价、一个是高价低溢价，性格完全不同。',
    link: screen('用双低排一次名'),
    words: 'dblow',
  },
  ytm: {
    name: 'YTM（到期收益率）',
    group: '可转债',
    meaning: '现在买入、拿到到期、发行人按时还钱，平均每年的收益率。',
    formula: '使剩余利息与到期赎回价的现值等于现价的年利率，按年复利，税前',
    mistake: '前提是不违约也不提前赎回；YTM 特别高往往是市场在担心还不上。',
    link: screen('在实时筛选里看'),
    words: 'ytm 到期收益率',
  },
  redemption: {
    name: '强赎',
    group: '可转债',
    meaning: '正股涨到一定程度并持续一段时间，发行人可以按约定价把转债收回，逼大家转股。',
    formula: '多数条款：连续 30 个交易日中有 15 日，正股收盘价 ≥ 转股价 × 130%',
    mistake: '公告后仍不转股也不卖出，只能拿回约 100 元加利息，高价券会大幅亏损。',
    link: screen('看强赎状态一列'),
    words: '赎回 is_call call_status',
  },
  redeem_trigger: {
    name: '强赎触发价比率',
    group: '可转债',
    meaning: '正股价格要到转股价的百分之多少，那一天才算数。多数转债是 130%。',
    formula: '强赎触发价 = 转股价 × 强赎触发价比率',
    mistake: '到了触发价只是记一天，不是当天就强赎。',
    link: screen('在实时筛选里看'),
    words: '强赎触发比例 触发价 redeem_trigger redeem_trigger_price',
  },
  redeem_count: {
    name: '强赎天计数',
    group: '可转债',
    meaning: '窗口内已经有几天满足强赎价格，写作 8/15：满 15 天就可能公告。',
    formula: '最近 30 个交易日里，正股收盘价 ≥ 当日触发价的天数',
    mistake: '正股停牌的日子不算。公告（或 2022 年 8 月起推定）不强赎后计数清零，期满再重新数。',
    link: screen('看强赎状态一列'),
    words: '计数 redeem_count',
  },
  last_trade_date: {
    name: '最后交易日',
    group: '可转债',
    meaning: '强赎或到期前，这只转债还能在市场上买卖的最后一天。',
    formula: '以发行人公告为准',
    mistake: '它早于最后转股日；错过这一天就只剩转股或等赎回。',
    link: screen('在证券详情里看'),
    words: 'last_trade_date',
  },
  last_conv_date: {
    name: '最后转股日',
    group: '可转债',
    meaning: '还能把转债换成股票的最后一天，过后只能按赎回价收钱。',
    formula: '以发行人公告为准，通常在最后交易日之后几个交易日',
    mistake: '转来的股票下一交易日才能卖，期间要承担正股波动。',
    link: screen('在证券详情里看'),
    words: 'last_conv_date',
  },
  reset: {
    name: '下修',
    group: '可转债',
    meaning: '正股长期偏低时，发行人可以把转股价往下调，转股价值随之上升。',
    formula: '常见条款：连续 30 个交易日中有 15 日，正股收盘价 < 转股价 × 85%',
    mistake: '满足条件只是可以提议，是否下修、下修到多少由公司和股东会决定。',
    link: screen('在实时筛选里看'),
    words: '向下修正 reset',
  },
  put: {
    name: '回售',
    group: '可转债',
    meaning: '正股长期很低时，持有人可以按约定价把转债卖回给发行人。',
    formula: '常见条款：最后两个计息年度，连续 30 个交易日正股收盘价 < 转股价 × 70%',
    mistake: '要自己申报，不申报不会自动回售；本站回测也不会自动回售。',
    link: screen('在实时筛选里看'),
    words: 'put',
  },
  remain_size: {
    name: '剩余规模',
    group: '可转债',
    meaning: '市场上还剩多少面值没有转股或赎回。越小，价格越容易被少量资金推动。',
    formula: '发行规模 − 已转股 − 已赎回与回售（按面值，亿元）',
    mistake: '小规模的回测收益常常买不到那么多量，要和容量一起看。',
    link: screen('在实时筛选里看'),
    words: 'remain_size 规模',
  },
  underlying: {
    name: '正股',
    group: '可转债',
    meaning: '转债可以换成的那只股票，也就是发行人自己的股票。',
    formula: '正股类因子的键以 _stk 结尾，例如 pct_chg_5_stk',
    mistake: '同一家公司可能有两只转债，只看名称容易把仓位集中在一家。',
    link: screen('看正股一列'),
    words: '标的股票 stk',
  },
  cb_ew: {
    name: '转债等权指数',
    group: '可转债',
    meaning: '每只转债占同样比重的平均走势，代表“随手各买一点”的结果。',
    formula: '每日全部可交易转债涨跌幅的简单平均，逐日连乘',
    mistake: '它不扣交易成本，而策略扣；跑赢一点点未必真的更好。',
    link: backtest('在回测里作基准'),
    words: 'cb_ew 基准',
  },
  spread_out: {
    name: '摊大饼',
    group: '可转债',
    meaning: '把资金分散到很多只，每只占一点；摊到全市场就是不挑，报告里用全市场等权代表它。',
    formula: '单只权重 = 1 ÷ 持有数量',
    mistake: '分散能减小单只风险，减不掉整个市场一起跌的风险。',
    link: grid('比较不同持有数量'),
    words: '分散',
  },
} as const satisfies Record<string, GlossaryEntry>

const rules = {
  rotation: {
    name: '轮动',
    group: '规则',
    meaning: '按固定规则定期重新排名，卖出掉出名单的，买入新进名单的。',
    formula: '每 N 个交易日（或每周、每月第 N 个交易日）按当日收盘重排',
    mistake: '换得勤不等于赚得多，每次换手都要付成本。',
    link: backtest('设置轮动周期'),
    words: '调仓 再平衡',
  },
  buffer: {
    name: ruleLabels.hold_threshold,
    group: '规则',
    meaning: '已持有的只要没掉出太远就继续拿着，避免为一两名的变化来回换。',
    formula: '已持有且名次 ≤ 持有数量 + 缓冲名次时保留',
    mistake: '缓冲名次越多换手越低，但名单也越偏离最新排名。',
    link: grid('比较不同缓冲名次'),
    words: 'hold_threshold 排名差',
  },
  factor: {
    name: '因子',
    group: '规则',
    meaning: '给每只证券算出的一个数，用来比较和排序，例如价格、溢价率、市值。',
    formula: '当日每只证券一个值；没有值写作 —',
    mistake: '因子只是排序的依据，过去排得出差别，不代表以后还能。',
    link: factors('写一个自己的因子'),
    words: 'factor',
  },
  direction: {
    name: '因子方向',
    group: '规则',
    meaning: '这个数是越大越好还是越小越好，决定谁排在前面。',
    formula: '越小越好：值最小的得分最高；越大越好则相反',
    mistake: '方向选反不会报错，结果会恰好相反，先用分箱看一眼再定。',
    link: binning('用分箱看方向'),
    words: 'prefer',
  },
  neutralization: {
    name: '中性化',
    group: '规则',
    meaning: '先扣掉规模或行业带来的部分，再比较剩下的，避免名单挤在同一类里。',
    formula: '因子对 ln(规模) 与行业做回归，取残差再排名',
    mistake: '中性化改变了因子的含义，残差小不等于原值小。',
    link: screen('在打分因子里设置'),
    words: 'neutralization 残差',
  },
  missing: {
    name: '缺失处理',
    group: '规则',
    meaning: '某只证券缺了一个因子时怎么办：不参与、沿用旧值，或用池内均值等代替。',
    formula: `默认剔除该券；${labelOf(missingValues, 'forward_fill')}最多沿用 20 个交易日`,
    mistake: '用均值填补会让缺数据的证券排在中间，看起来像有数据一样。',
    link: screen('在打分因子里设置'),
    words: 'missing_process 空值',
  },
  percentile: {
    name: '截面与分位',
    group: '规则',
    meaning: '截面是同一天的所有证券；分位是某只在其中排到百分之几，0% 最小。',
    formula: '分位 = 名次 ÷ 有值的证券数，相同的值取平均名次',
    mistake: '分位只说相对位置：市场整体都贵时，最便宜的一成也可能不便宜。',
    link: screen('用分位写条件'),
    words: 'rank cs_rank 百分位',
  },
  window: {
    name: '周期（窗口）',
    group: '规则',
    meaning: '公式里的 20 表示看最近 20 个交易日，含当天。',
    formula: 'ts_mean(close, 20) = 最近 20 个交易日收盘价的平均',
    mistake: '上市不足 20 天的证券没有值，不会用更短的天数凑。',
    link: factors('在公式里使用'),
    words: '回看 lookback',
  },
  unit: {
    name: '小数与百分数',
    group: '规则',
    meaning: '比例在公式里都是小数，界面上写成百分数。',
    formula: '12.4% 在公式里是 0.124',
    mistake: '把小数直接和价格相加，溢价率几乎不起作用，排名等于只看价格。',
    link: factors('编辑器会提醒单位'),
    words: '单位 ratio',
  },
  weight: {
    name: ruleLabels.hold_weight_type,
    group: '规则',
    meaning: '每只证券占多少资金：一样多、名次靠前多一些，或按规模、因子、波动来分。',
    formula: '等权 = 1 ÷ 持有数量；其余方式先算比例再归一，超过单只最多占比的部分分给其他',
    mistake: '加权方式不会改变选了谁，只改变每只占多少。',
    link: screen('在持仓与轮动里设置'),
    words: 'hold_weight_type 等权',
  },
  stops: {
    name: ruleLabels.stop_method,
    group: '规则',
    meaning: '单只涨到或跌到设定幅度就卖出，腾出的资金等下一次轮动再用。',
    formula: '盘中止盈：开盘已越过按开盘价，盘中触及按止盈价，否则不卖',
    mistake: '日线不知道当天先到高点还是低点，两者都触及时按先止损计算。',
    link: backtest('设置后回测一次'),
    words: 'stop',
  },
} as const satisfies Record<string, GlossaryEntry>

const tests = {
  bins: {
    name: '分箱（分层）',
    group: '检验',
    meaning: '按因子从小到大分成几组，看各组后来的收益是不是拉开了。',
    formula: '每日按名次等分，第 1 组是值最小的一组；组内等权',
    mistake: '每组少于 20 只时，一两只的涨跌就能改变结论。',
    link: binning('做一次分箱'),
    words: '分层 quantile',
  },
  ic: {
    name: 'IC',
    group: '检验',
    meaning: '因子排名和之后收益排名的相关程度，−1 到 1，离 0 越远关系越强。',
    formula: '每日因子值与未来 h 日收益的相关系数；Rank IC 用名次算',
    mistake: '日常能稳定在 0.03 就不小了；单日 0.3 说明不了什么。',
    link: binning('看 IC 时序'),
    words: 'rank ic 信息系数',
  },
  icir: {
    name: 'ICIR',
    group: '检验',
    meaning: 'IC 的平均除以它的波动，看关系是不是一直都在。',
    formula: 'IC 均值 ÷ IC 标准差；年化再乘 √(242 ÷ h)',
    mistake: '前瞻天数越长，相邻的 IC 重叠越多，数字会显得比实际稳定。',
    link: binning('看 ICIR'),
    words: 'icir',
  },
  monotonicity: {
    name: '单调性',
    group: '检验',
    meaning: '从第一组到最后一组，收益是不是一路递增或递减。',
    formula: '组号与各组平均收益的名次相关，1 或 −1 为完全单调',
    mistake: '单调性好但主要靠某一组拉开时，对只买不卖的人帮助有限。',
    link: binning('看各组收益'),
    words: 'monotonicity',
  },
  coverage: {
    name: '覆盖率',
    group: '检验',
    meaning: '当天有多少证券算得出这个因子。',
    formula: '有值的证券数 ÷ 当日在市的证券数',
    mistake: '覆盖率低的因子，好结果可能只是挑走了有数据的那一类。',
    link: factors('在检查里看'),
    words: 'coverage',
  },
  oos: {
    name: '样本外',
    group: '检验',
    meaning: '定规则时没有看过的那段时间。规则在那里的表现才接近真实考试。',
    formula: '默认留出最后 20% 的区间',
    mistake: '看过样本外再回头改规则，它就不再是样本外了。',
    link: backtest('设置样本外起点'),
    words: 'out of sample oos',
  },
  overfitting: {
    name: '过拟合',
    group: '检验',
    meaning: '规则把历史的巧合也背了下来，换一段时间就不灵。',
    formula: '没有单一公式，用样本外、参数微调、去掉最好的和尝试次数一起判断',
    mistake: '条件越多、参数越精细，历史曲线越好看，也越可能是过拟合。',
    link: grid('看结果是平台还是尖峰'),
    words: 'overfit',
  },
  dsr: {
    name: robustnessChecks.deflated.short,
    group: '检验',
    meaning: '考虑了试过多少次之后，夏普大于 0 还有多少把握。',
    formula: 'DSR：以运气门槛为基准，按样本长度、偏度与峰度调整后的概率',
    mistake: '它只扣掉了记录在案的尝试，没记下的尝试照样会抬高结果。',
    link: backtest('在报告的“靠谱吗”里看'),
    words: 'dsr deflated sharpe',
  },
  luck: {
    name: '运气门槛',
    group: '检验',
    meaning: '随便试这么多次，光靠运气最好那次大约能有多高的夏普。',
    formula: 'N 次独立尝试、Y 年数据下，最大夏普的期望值',
    mistake: '高于门槛不等于一定有效，低于门槛基本可以当作运气。',
    link: grid('看网格的运气门槛'),
    words: 'luck threshold',
  },
  pbo: {
    name: robustnessChecks.overfitting.label,
    group: '检验',
    meaning: '样本内最好的参数，到样本外落到后一半的可能性有多大。',
    formula: '把区间切成 16 块，两两组合互为样本内外，统计落后的比例',
    mistake: '需要一组参数一起算，单独一次回测没有这个数。',
    link: grid('在参数网格里看'),
    words: 'pbo cscv',
  },
  plateau: {
    name: '平台区',
    group: '检验',
    meaning: '参数改一点，结果差不多的那一片。平台比尖峰可信。',
    formula: '与最佳格相邻且结果接近的一片格子',
    mistake: '平台只说明对参数不敏感，不说明以后一定有效。',
    link: grid('看热力图'),
    words: 'plateau 参数网格',
  },
} as const satisfies Record<string, GlossaryEntry>

const metrics = {
  annual_return: {
    name: metricLabel('annual_return'),
    group: '绩效',
    meaning: '把整段收益换算成每年平均多少，方便不同长度的区间比较。',
    formula: metricFormulas.annual_return,
    mistake: '不到 20 个交易日不年化；区间短时它会夸大一时的好坏。',
    link: backtest('在报告里看'),
    words: 'annual_return',
  },
  max_drawdown: {
    name: metricLabel('max_drawdown'),
    group: '绩效',
    meaning: '从最高点到之后最低点跌了多少，是持有期间最难熬的一段。',
    formula: metricFormulas.max_drawdown,
    mistake: '历史上最深的一次不是上限，以后可能更深。',
    link: backtest('在报告里看回撤清单'),
    words: 'max_drawdown 回撤',
  },
  volatility: {
    name: metricLabel('volatility'),
    group: '绩效',
    meaning: '每天涨跌的起伏程度，换算成一年。',
    formula: metricFormulas.volatility,
    mistake: '它把上涨和下跌一样看待；只关心下跌看下行波动。',
    link: backtest('在报告里看'),
    words: 'volatility',
  },
  sharpe: {
    name: metricLabel('sharpe'),
    group: '绩效',
    meaning: '每承担一份波动换来多少收益，用来比较起伏不同的策略。',
    formula: `${metricFormulas.sharpe}（无风险利率取 0）`,
    mistake: '不同软件的年天数和无风险利率不同，数字不能直接互比。',
    link: backtest('在报告里看'),
    words: 'sharpe',
  },
  sortino: {
    name: metricLabel('sortino'),
    group: '绩效',
    meaning: '和夏普类似，但只把下跌的起伏算作风险。',
    formula: `${metricFormulas.sortino}（无风险利率与目标收益取 0）`,
    mistake: '下跌的日子很少时分母不稳定，数字会显得特别大；不同软件的分母（有的用全部日子的下行偏差）与年天数不同，不能直接互比。',
    link: backtest('在报告里看'),
    words: 'sortino',
  },
  calmar: {
    name: metricLabel('calmar'),
    group: '绩效',
    meaning: '每年的收益相当于最大回撤的几倍。',
    formula: metricFormulas.calmar,
    mistake: '只由一次最深回撤决定，区间换一换差别会很大。',
    link: backtest('在报告里看'),
    words: 'calmar',
  },
  information_ratio: {
    name: metricLabel('information_ratio'),
    group: '绩效',
    meaning: '比基准多出来的收益稳不稳定。',
    formula: metricFormulas.information_ratio,
    mistake: '基准选得太弱，信息比率会好看得没有意义。',
    link: backtest('在报告里看'),
    words: 'information ratio ir',
  },
  excess: {
    name: '超额收益',
    group: '绩效',
    meaning: '和基准相比多赚或少赚了多少。',
    formula: '(1 + 策略收益) ÷ (1 + 基准收益) − 1，逐日相除再连乘',
    mistake: '两个年化直接相减会有偏差，区间越长差得越多。',
    link: backtest('在报告里看超额曲线'),
    words: 'excess 基准',
  },
  turnover: {
    name: '换手',
    group: '绩效',
    meaning: '一段时间里把多大比例的持仓换了一遍。换手高，成本就高。',
    formula: '(买入额 + 卖出额) ÷ 2 ÷ 当日权益，年换手 = 日均 × 242',
    mistake: '单次成本看着很小，乘上一年十几倍换手就不小了。',
    link: backtest('在报告里看成本敏感'),
    words: 'turnover',
  },
  recent: {
    name: metricLabel('recent_1y'),
    group: '绩效',
    meaning: '最近 242 个交易日的收益，用来看规则近来还灵不灵。',
    formula: '期末净值 ÷ 242 个交易日前的净值 − 1',
    mistake: '近一年好可能只是风格合适，近一年差也不等于规则坏了。',
    link: backtest('在报告的结论里看'),
    words: 'recent_1y',
  },
  capacity: {
    name: '容量',
    group: '绩效',
    meaning: '多少资金以内，买卖不会明显推动价格或买不到量。',
    formula: '单只成交不超过当日成交额的 10%，超过的部分视为没有成交',
    mistake: '10 万能做到的收益，1000 万往往做不到，小规模券尤其如此。',
    link: backtest('在报告里看容量曲线'),
    words: 'capacity',
  },
} as const satisfies Record<string, GlossaryEntry>

const trading = {
  slippage: {
    name: '滑点',
    group: '成交与数据',
    meaning: '实际成交价和预想价格的差距，买贵一点、卖便宜一点。',
    formula: '可转债默认并入单边成本 0.10%；股票默认另计 0.10%',
    mistake: '成交冷清的证券滑点会大得多，固定比例会低估。',
    link: backtest('设置成本'),
    words: 'slippage 成本',
  },
  fill: {
    name: ruleLabels.fill,
    group: '成交与数据',
    meaning: `回测假设在哪个价格成交：${valuesOf(fills)
      .map((fill) => labelOf(fills, fill))
      .join('、')}。`,
    formula: `默认${labelOf(fills, 'close')}：用收盘前的数据排名，按收盘价成交`,
    mistake: `收盘价成交要求收盘前几分钟就能下单，做不到就选${labelOf(fills, 'next_open')}。`,
    link: backtest('设置成交价'),
    words: 'fill 撮合价',
  },
  adjust: {
    name: '复权',
    group: '成交与数据',
    meaning: '把分红送股造成的价格缺口补平，让前后价格可以比较。',
    formula: '不复权：分红送股按实际到账计入；前、后复权：价格已包含',
    mistake: '前复权的历史价格会随新的分红改变，不能当作当时的成交价。',
    link: { label: '在股票回测里设置', to: '/rotation/stock/backtest' },
    words: 'adjust 除权',
  },
  survivorship: {
    name: '幸存者偏差',
    group: '成交与数据',
    meaning: '只用今天还在的证券回测，已经退市和违约的都被漏掉，结果会偏好。',
    formula: '每个历史日只用当日在市的证券，含之后退市与赎回的',
    mistake: '数据源不含退市证券时，任何回测软件都补不回来。',
    link: backtest('在口径与假设里看'),
    words: 'survivorship',
  },
  lookahead: {
    name: '未来函数',
    group: '成交与数据',
    meaning: '在某一天用到了那天之后才知道的数据，回测会好得不真实。',
    formula: '本站的公式不能写负的周期；财报按公告日、条款按公告次日起生效',
    mistake: '把收盘价当盘中信号也是一种，注意成交价的设置。',
    link: factors('公式检查会说明'),
    words: 'lookahead',
  },
  data_version: {
    name: '数据版本',
    group: '成交与数据',
    meaning: '每次更新行情都有一个编号，同一个编号下的结果可以重复得到。',
    formula: '数字旁的标签，例如 demo-2026.11.19',
    mistake: '版本不同的两份结果，差别可能来自数据而不是规则。',
    link: backtest('在报告抬头看'),
    words: 'data_version',
  },
  demo: {
    name: dataModes.demo.label,
    group: '成交与数据',
    meaning: '按公开的模型模拟生成的行情，用来熟悉工具，证券和公司都是虚构的。',
    formula: '代码以 .DM 结尾，图表和导出文件都带演示字样',
    mistake: '演示数据上的好结果不说明任何真实市场的事，也不能用于交易。',
    link: { label: '看模拟假设', to: '/rotation/convertible-bond/backtest' },
    words: 'demo 模拟',
  },
  lot: {
    name: '一手',
    group: '成交与数据',
    meaning: '一次最少买卖的数量。可转债一手 10 张，多数股票一手 100 股。',
    formula: '可转债 10 张；股票 100 股；科创板 200 股起、北交所 100 股起，以 1 股递增',
    mistake: '资金少而持有多时，每只分到的钱可能不够一手，会留下现金。',
    link: backtest('设置本金与持有数量'),
    words: 'lot 张 股',
  },
} as const satisfies Record<string, GlossaryEntry>

const live = {
  qmt: {
    name: 'QMT',
    group: '实盘',
    meaning: '券商提供的交易终端，可以在自己的电脑上运行程序下单。',
    formula: '本站只生成目标文件，下单在你自己的电脑和券商账户里进行',
    mistake: '开通条件由券商规定；本站不接触资金，也不保存券商密码。',
    link: qmt('看运行配置'),
    words: 'miniqmt',
  },
  basket: {
    name: '篮子文件',
    group: '实盘',
    meaning: '一份写着代码、数量和方向的表格，交易终端可以成批读入。',
    formula: 'GBK 编码，列为 代码,市场,数量,相对权重,方向,指定价,量比',
    mistake: '文件按导出时的价格取整，隔天再用数量会不对。',
    link: qmt('看如何导出'),
    words: 'basket',
  },
  reporting: {
    name: qmtLabels.report_status,
    group: '实盘',
    meaning: '用程序下单前，要先向自己的券商报告账户、策略类型和软件等情况。',
    formula: '先报告、后交易，由投资者向开户券商办理',
    mistake: '只用本站筛选和回测不涉及报告；一旦由程序下单就需要。',
    link: qmt('看账户管理'),
    words: '程序化交易',
  },
} as const satisfies Record<string, GlossaryEntry>

export const glossary = { ...bonds, ...rules, ...tests, ...metrics, ...trading, ...live }

export type TermKey = keyof typeof glossary
export const termKeys = Object.keys(glossary) as TermKey[]
export const entryOf = (key: TermKey): GlossaryEntry => glossary[key]

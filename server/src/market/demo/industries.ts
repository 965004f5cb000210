/** 申万一级行业 with the share of companies, and the pull of each on what its companies look like. */
export interface Industry {
  readonly name: string
  readonly weight: number
  /** Multiplier of the price-to-book ratio, added return on equity, added debt ratio, gross margin. */
  readonly book: number
  readonly roe: number
  readonly debt: number
  readonly margin: number
}

const row = (name: string, weight: number, book = 1, roe = 0, debt = 0, margin = 0.28): Industry => ({
  name,
  weight,
  book,
  roe,
  debt,
  margin,
})

export const industries: readonly Industry[] = [
  row('农林牧渔', 20, 1.1, -0.01, 0.04, 0.16),
  row('基础化工', 80, 1, 0.01, 0, 0.22),
  row('钢铁', 9, 0.45, -0.02, 0.14, 0.1),
  row('有色金属', 27, 0.95, 0.02, 0.05, 0.18),
  row('电子', 94, 1.35, 0, -0.05, 0.27),
  row('家用电器', 19, 1, 0.03, 0.06, 0.26),
  row('食品饮料', 25, 1.4, 0.05, -0.08, 0.4),
  row('纺织服饰', 21, 0.75, 0, -0.03, 0.32),
  row('轻工制造', 32, 0.8, 0, 0.02, 0.23),
  row('医药生物', 99, 1.2, 0.01, -0.08, 0.46),
  row('公用事业', 26, 0.7, 0.01, 0.16, 0.24),
  row('交通运输', 25, 0.65, 0.01, 0.06, 0.2),
  row('房地产', 20, 0.4, -0.04, 0.24, 0.18),
  row('商贸零售', 19, 0.75, -0.02, 0.1, 0.22),
  row('社会服务', 16, 1.1, -0.01, 0.03, 0.33),
  row('银行', 8, 0.25, 0.035, 0.5, 0.4),
  row('非银金融', 16, 0.6, 0.01, 0.3, 0.4),
  row('综合', 5, 0.9, -0.03, 0.08, 0.24),
  row('建筑材料', 15, 0.65, 0, 0.04, 0.25),
  row('建筑装饰', 32, 0.55, -0.01, 0.2, 0.13),
  row('电力设备', 72, 1.25, 0.01, 0.06, 0.23),
  row('国防军工', 28, 1.5, -0.01, -0.02, 0.32),
  row('计算机', 68, 1.5, -0.02, -0.04, 0.4),
  row('传媒', 26, 1, -0.02, -0.02, 0.36),
  row('通信', 25, 1.2, -0.005, 0.02, 0.3),
  row('煤炭', 7, 0.6, 0.05, 0.06, 0.3),
  row('石油石化', 9, 0.6, 0.01, 0.08, 0.15),
  row('环保', 26, 0.6, -0.01, 0.14, 0.27),
  row('美容护理', 6, 1.6, 0.03, -0.08, 0.52),
  row('机械设备', 102, 1.1, 0, 0, 0.28),
  row('汽车', 52, 1.05, 0, 0.05, 0.22),
]

export const areas: readonly (readonly [string, number])[] = [
  ['广东', 160],
  ['浙江', 132],
  ['江苏', 128],
  ['北京', 88],
  ['上海', 82],
  ['山东', 56],
  ['福建', 32],
  ['四川', 32],
  ['安徽', 32],
  ['湖南', 27],
  ['湖北', 27],
  ['河南', 21],
  ['河北', 15],
  ['江西', 15],
  ['陕西', 15],
  ['辽宁', 16],
  ['重庆', 14],
  ['天津', 13],
  ['新疆', 11],
  ['广西', 8],
  ['云南', 8],
  ['山西', 8],
  ['贵州', 7],
  ['甘肃', 6],
]

export const orgforms: readonly (readonly [string, number])[] = [
  ['民营企业', 66],
  ['地方国有企业', 17],
  ['中央国有企业', 8],
  ['公众企业', 5],
  ['外资企业', 3],
  ['集体企业', 1],
]

import { expect, it } from 'vitest'
import { initialsOf } from './pinyin.ts'

it.each([
  ['转股溢价率', 'zgyjl'],
  ['收盘价', 'spj'],
  ['纯债溢价率', 'czyjl'],
  ['双低', 'sd'],
  ['市盈率 TTM', 'sylttm'],
  ['剩余规模', 'sygm'],
  ['强赎剩余计数', 'qssyjs'],
  ['N日涨跌幅', 'nrzdf'],
  ['人气排名', 'rqpm'],
  ['期权价值', 'qqjz'],
  ['阿隆上升', 'alss'],
  ['下修触发价', 'xxcfj'],
  ['无风险利率', 'wfxll'],
  ['毛利率', 'mll'],
  ['二级行业', 'ejhy'],
  ['发行规模', 'fxgm'],
  ['毛利率增长', 'mllzz'],
  ['到期收益率', 'dqsyl'],
  ['强赎已满足天数', 'qsymzts'],
  ['20日涨幅', '20rzf'],
  ['成交额(万元)', 'cjewy'],
])('%s is found by %s', (text, initials) => {
  expect(initialsOf(text)).toBe(initials)
})

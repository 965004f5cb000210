import { describe, expect, it } from 'vitest'
import { chainAt } from '../../routing/page-at.ts'
import { type Page, pages } from '../../routing/page-table.ts'
import { glossary, groups, termKeys } from './glossary.ts'
import { glossaryFound } from './glossary-search.ts'
import { helpOf, screenHelp } from './screens.ts'

describe('the glossary', () => {
  it('has the words that onboarding names, each once', () => {
    expect(termKeys.length).toBeGreaterThanOrEqual(55)
    const names = Object.values(glossary).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    const asked =
      '转股溢价率 转股价值 纯债价值 纯债溢价率 双低 强赎 最后交易日 最后转股日 下修 回售 剩余规模 正股 转债等权指数 摊大饼 轮动 缓冲名次 因子 因子方向 中性化 缺失处理 IC ICIR 单调性 换手 最大回撤 样本外 过拟合 缩水夏普 容量 滑点 成交价 复权 幸存者偏差 未来函数 QMT 篮子文件 程序化交易报告 一手'
    expect(asked.split(' ').filter((name) => !names.includes(name as (typeof names)[number]))).toEqual([])
  })

  it.each(Object.entries(glossary))('%s has four short lines, a subject and a way into the product', (_, entry) => {
    for (const line of [entry.meaning, entry.formula, entry.mistake]) {
      expect(line.length).toBeGreaterThan(5)
      expect(line.length).toBeLessThanOrEqual(60)
    }
    expect(groups).toContain(entry.group)
    expect(chainAt(entry.link.to)).not.toEqual([])
  })

  const searches: [string, string][] = [
    ['溢价', 'conv_prem'],
    ['ＹＴＭ', 'ytm'],
    ['dsr', 'dsr'],
    ['分层', 'bins'],
    ['回撤', 'max_drawdown'],
  ]
  it.each(searches)('%s finds %s first', (typed, key) => {
    expect(glossaryFound(termKeys, typed)[0]).toBe(key)
  })
})

describe('help beside a page', () => {
  const flat = (page: Page): Page[] => [page, ...(page.children ?? []).flatMap(flat)]
  it('belongs to a page that is there, and has all its parts', () => {
    const helped = new Set(pages.flatMap(flat).map(({ path }) => helpOf(path)))
    for (const [path, help] of Object.entries(screenHelp)) {
      expect(helped, path).toContain(help)
      expect(
        [help.does.length, help.reads.length, help.asks.length].every((lines) => lines > 0),
        path,
      ).toBe(true)
    }
  })

  it('both markets share it, drawers have that of their page', () => {
    expect(helpOf('/rotation/stock/screen')).toBe(helpOf('/rotation/convertible-bond/screen'))
    expect(helpOf('/personal/profile/email')).toBe(helpOf('/personal/profile'))
    expect(helpOf('/nowhere')).toBeNull()
  })
})

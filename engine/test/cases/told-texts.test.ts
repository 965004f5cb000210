import { describe, expect, it } from 'vitest'
import { availableIn, backtest, compile, markets, namesOf, type Panel } from '../../src/index.ts'
import { parameters, rankBy, settings } from '../fixtures/parameters.ts'
import { randomMarket } from '../fixtures/random-market.ts'

// What the data do not say of their securities is refused by its name; that nobody has it must not look like a formula without a value.

const market = randomMarket('stk', { seed: 3, days: 30, securities: 8 })
/** The market with some texts of its securities and nothing else. */
const saying = (attributes: Record<string, string>, listed: string | null = null): Panel => ({
  ...market,
  securities: market.securities.map(({ terms: _terms, dated: _dated, ...one }) => ({ ...one, attributes, listed })),
})
const bare = saying({})
const full = saying({ industry_1: '银行', industry_2: '城商行', maturity_date: '2030-01-02' }, '2020-01-02')
const compiled = (text: string, of: Panel) => compile(text, namesOf(markets.stk, availableIn(of, markets.stk.fields)))

describe('texts and dates that the data lack', () => {
  it.each([
    ['industry_2 == "城商行"', '当前行情数据没有字段“二级行业”（industry_2）'],
    ['二级行业 == "城商行"', '当前行情数据没有字段“二级行业”（industry_2）'],
    ['gp_mean(industry_1, close)', '当前行情数据没有字段“一级行业”（industry_1）'],
    ['days_to(maturity_date)', '当前行情数据没有“到期日”（maturity_date）'],
    ['tdays_since(list_date)', '当前行情数据没有“上市日”（list_date）'],
  ])('%s is refused where nobody has them, and compiled where somebody has', (text, sentence) => {
    const refused = compiled(text, bare)
    expect(refused).toMatchObject({ ok: false, problem: { code: 22009 } })
    expect(refused.ok ? '' : refused.problem.message).toContain(sentence)
    expect(compiled(text, full)).toMatchObject({ ok: true })
    // Names that were made without the data's own word believe all.
    expect(compile(text, namesOf(markets.stk, new Set(['close'])))).toMatchObject({ ok: true })
  })

  it('neither neutralizing by industry nor excluding one is silently nothing', () => {
    const run = (of: Panel, over: Parameters<typeof parameters>[0]) => {
      const steps = backtest(of, markets.stk, {
        parameters: parameters(over),
        settings: settings(of.dates[2]!, of.dates[25]!, { benchmark: 'stk_ew' }),
      })
      let step = steps.next()
      while (!step.done) step = steps.next()
      return step.value.ok ? 'ok' : step.value.problem.message
    }
    const neutral = { rank_factors: [rankBy('close', { neutralization: 'industry' })] }
    expect(run(bare, neutral)).toContain('当前数据没有「一级行业」，无法按它中性化')
    expect(run(full, neutral)).toBe('ok')
    const without = { exclude: { ...parameters().exclude, industries: ['银行'] } }
    expect(run(bare, without)).toContain('当前数据没有行业，请移除按行业的剔除条件')
  })
})

import { namesVersion } from '@convexa/contract/names-version'
import { describe, expect, it } from 'vitest'
import { blankParameters } from '../rule/draft.ts'
import { readRule } from './read-rule.ts'
import { jsonOf, packed, unpacked } from './shared-draft.ts'

const rule = { kind: 'cb' as const, name: '双低 10 只', names: namesVersion, parameters: blankParameters('cb') }

describe('a rule in an address', () => {
  it('comes back as it went, in letters that need no escape', async () => {
    const text = await packed(rule)
    expect(text).toMatch(/^[\w-]+$/)
    expect(text.length).toBeLessThan(700)
    expect(JSON.parse((await unpacked(text)) ?? '')).toEqual(rule)
  })

  it.each(['', 'abc', '%%%', 'AAAA'])('%s is not one of ours', async (text) => {
    const json = await unpacked(text)
    expect(json === null || !readRule(json, 'cb').ok).toBe(true)
  })

  it('a bomb is not unpacked', async () => {
    const bomb = await packed({ ...rule, name: 'x'.repeat(1_000_000) })
    expect(await unpacked(bomb)).toBeNull()
  })
})

describe('a pasted rule', () => {
  it('whole, or its parameters alone, which are of the market that is open', () => {
    expect(readRule(jsonOf(rule), 'stk')).toEqual({ ok: true, rule })
    expect(readRule(JSON.stringify(rule.parameters), 'stk')).toMatchObject({ ok: true, rule: { kind: 'stk', parameters: rule.parameters } })
    expect(readRule(JSON.stringify({ strategy_name: 'x', detail: rule.parameters }), 'cb')).toMatchObject({ ok: true })
  })

  it.each([
    ['quotes that a phone has curled', (text: string) => text.replace(/"([^"]*)"/g, '“$1”')],
    ['wide quotes', (text: string) => text.replaceAll('"', '＂')],
    ['spaces of a web page', (text: string) => text.replaceAll('\n', '\n\u00a0\u3000')],
    ['signs that are not seen', (text: string) => `\ufeff${text}\u200b\n`],
  ])('with %s is read', (_, changed) => expect(readRule(changed(jsonOf(rule)), 'cb')).toEqual({ ok: true, rule }))

  it('says of one that is broken where it is, as it was pasted', () =>
    expect(readRule('{“kind”: “cb”', 'cb')).toEqual({ ok: false, mistakes: ['JSON 格式有误：第 1 行第 2 列'] }))

  it('one of before names of factors changed means what it meant and says so; one of now is taken by its word', () => {
    const named = (key: string) => ({
      ...rule,
      parameters: { ...rule.parameters, rank_factors: rule.parameters.rank_factors.map((row) => ({ ...row, factor_key: key })) },
    })
    const { names: _names, ...before } = named('volatility')
    expect(readRule(JSON.stringify(before), 'cb')).toMatchObject({
      rule: { parameters: named('volatility_60').parameters, kept: [expect.stringContaining('仍按原来的 60 日计算')] },
    })
    expect(readRule(JSON.stringify(named('volatility')), 'cb')).toEqual({ ok: true, rule: named('volatility') })
  })

  const wrong = (change: (parameters: Record<string, unknown>) => void) => {
    const parameters = structuredClone(rule.parameters) as unknown as Record<string, unknown>
    change(parameters)
    return JSON.stringify(parameters)
  }
  it.each([
    ['{"a": 1,\n  b}', /第 2 行第 3 列|格式有误/],
    ['[1]', /最外层/],
    [wrong((p) => delete p['hold_days']), /hold_days 缺少，应为数字/],
    [wrong((p) => Object.assign(p, { rank_method: 'best' })), /rank_method 只能是 rank、zscore、percentile/],
    [wrong((p) => Object.assign(p, { extra: 1 })), /不认识的键：extra/],
    [
      wrong((p) => Object.assign((p['rank_factors'] as object[])[0] as object, { weight: 1000 })),
      /rank_factors\[0\]\.weight 太大：不能大于 100/,
    ],
    [wrong((p) => Object.assign(p, { hold_days: '3' })), /hold_days 应为/],
  ])('%#: says where it is wrong', (text, sentence) => {
    const read = readRule(text, 'cb')
    expect(read.ok ? '' : read.mistakes.join('\n')).toMatch(sentence)
  })
})

import { type ErrorCode, messageOf } from '@convexa/contract'
import { describe, expect, it } from 'vitest'
import { markets } from '../market/index.ts'
import type { FactorDefinition } from '../market/market.ts'
import { compile, compileRef, type FunctionArgument, functionTable, type Names, namesOf } from './index.ts'

const names = namesOf(markets.cb, new Set(['close', 'open', 'conv_prem', 'vol', 'rating']))

const factor = (key: string, formula: string, more: Partial<FactorDefinition> = {}): FactorDefinition => ({
  key,
  label: key,
  unit: null,
  decimals: 2,
  category: '测试',
  type: 0,
  prefer: 'small',
  formula,
  realtime: true,
  description: '',
  ...more,
})
const withFactors = (...factors: FactorDefinition[]): Names => namesOf({ fields: markets.cb.fields, factors }, new Set(['close', 'vol']))

function refusal(text: string, among: Names = names) {
  const result = compile(text, among)
  if (result.ok) throw new Error(`accepted: ${result.expression.text}`)
  return result.problem
}

function needs(text: string, among: Names = names) {
  const result = compile(text, among)
  if (!result.ok) throw new Error(result.problem.message)
  return { fields: [...result.expression.needs.fields].sort(), lookback: result.expression.needs.lookback }
}

describe('a mistake is told with its code, a sentence and its place', () => {
  const long = (n: number) => 'close+'.repeat(n)
  it.each<[string, ErrorCode, string, number, number]>([
    ['', 22002, '公式语法错误（第1行第1列）：公式为空', 1, 1],
    ['close +', 22002, '公式语法错误（第1行第8列）：公式不完整', 1, 8],
    ['close\n  + * 2', 22002, '公式语法错误（第2行第5列）：此处不应出现“*”', 2, 5],
    ['(close', 22002, '公式语法错误（第1行第7列）：缺少右括号“)”', 1, 7],
    ['close open', 22002, '公式语法错误（第1行第7列）：此处不应出现“open”', 1, 7],
    ['1 < close < 2', 22002, '公式语法错误（第1行第11列）：比较不能连写，请用 and 连接，例如 1 < x and x < 2', 1, 11],
    ['close @ 2', 22002, '公式语法错误（第1行第7列）：不认识的字符“@”', 1, 7],
    ['close \u0000', 22002, '公式语法错误（第1行第7列）：不认识的字符 U+0000', 1, 7],
    ['ma(close, 20日)', 22002, '公式语法错误（第1行第13列）：数字后不能直接跟文字', 1, 13],
    ['a := close; a := open; a', 22002, '公式语法错误（第1行第13列）：名称“a”重复赋值', 1, 13],
    ['a := close a', 22002, '公式语法错误（第1行第12列）：赋值语句应以“;”结束', 1, 12],
    ['close > 1 ? 2', 22002, '公式语法错误（第1行第14列）：条件表达式缺少“:”', 1, 14],
    ['`close', 22002, '公式语法错误（第1行第1列）：引号没有成对', 1, 1],
    ["close + 'AA'", 22002, '公式语法错误（第1行第9列）：文字只能用 == 或 != 与评级等枚举字段比较', 1, 9],
    ['foo(close, 5)', 22006, '未知函数：foo（第1行第1列）', 1, 1],
    ['1 + ts_maen(close, 5)', 22006, '未知函数：ts_maen（第1行第5列），是否指 ts_mean？', 1, 5],
    ['corp(close, vol, 20)', 22006, '未知函数：corp（第1行第1列），是否指 corr？', 1, 1],
    [`${'很'.repeat(25)}(1)`, 22006, `未知函数：${'很'.repeat(19)}…（第1行第1列）`, 1, 1],
    ['close(5)', 22006, '未知函数：close（第1行第1列），它是因子，后面不能跟括号', 1, 1],
    ['TS_RANK(close)', 22007, '函数ts_rank的参数个数不正确（第1行第1列）：应为 ts_rank(x, n, [mp])，实际有1个参数', 1, 1],
    ['if(close, 1)', 22007, '函数if的参数个数不正确（第1行第1列）：应为 if(c, a, b)，实际有2个参数', 1, 1],
    ['max(close)', 22007, '函数max的参数个数不正确（第1行第1列）：应为 max(a, b, …)，实际有1个参数', 1, 1],
    ['ref(close, -1)', 22008, '不允许使用未来数据（第1行第12列）：周期不能为负数', 1, 12],
    ['delta(close, 2 - 3)', 22008, '不允许使用未来数据（第1行第14列）：周期不能为负数', 1, 14],
    ['ma(close, 0)', 22008, '周期需为1至500的整数（第1行第11列）', 1, 11],
    ['ma(close, 501)', 22008, '周期需为1至500的整数（第1行第11列）', 1, 11],
    ['ma(close, 2.5)', 22008, '周期需为1至500的整数（第1行第11列）', 1, 11],
    ['ma(close, vol)', 22008, '周期需为1至500的整数（第1行第11列）：不能使用随日期变化的值', 1, 11],
    ['ma(close, 5, 6)', 22008, '最少有效天数需为1至5的整数（第1行第14列）', 1, 14],
    ['bias_999', 22008, '周期需为2至250的整数（第1行第1列）：N日乖离率', 1, 1],
    ['clsoe', 22009, '未知因子：clsoe（第1行第1列），是否指 close？', 1, 1],
    ['ma', 22009, '未知因子：ma（第1行第1列），它是函数，需要写参数：ts_mean(x, n, [mp])', 1, 1],
    ['meam', 22009, '未知因子：meam（第1行第1列）', 1, 1],
    ['close + ytm', 22009, '当前行情数据没有字段“到期收益率”（ytm）（第1行第9列）', 1, 9],
    ['纯债溢价率', 22009, '当前行情数据算不出“纯债溢价率”（第1行第1列）：缺少“纯债价值”（pure_value）', 1, 1],
    [`${'('.repeat(33)}close${')'.repeat(33)}`, 22004, '公式嵌套层数过多（第1行第34列）：最多32层', 1, 34],
    ['ref(ref(ref(close, 500), 500), 1)', 22005, '公式计算量过大（第1行第1列）：累计回看1001个交易日，最多1000个，请缩短周期', 1, 1],
  ])('%s', (text, code, message, line, column) => {
    const problem = refusal(text)
    expect(problem).toMatchObject({ code, message, pos: { line, column } })
  })

  it('a text that is too long, too many words, too many parts', () => {
    expect(refusal(`close${' '.repeat(2_000)}`)).toMatchObject({ code: 22001, message: '公式过长：最多2000个字符，现有2005个' })
    expect(refusal(long(300))).toMatchObject({ code: 22001, message: '公式过长：最多512个词' })
    expect(refusal(`${long(200)}close`)).toMatchObject({ code: 22003, message: '公式过于复杂：最多256个运算项' })
    expect(compile(`${long(127)}close`, names).ok).toBe(true)
  })

  it.each([
    ['mean(close, 20)', 'ts_mean(close, 20)'],
    ['ma(close, 20)', 'ts_mean(close, 20)'],
    ['std(close, 20)', 'ts_std(close, 20)'],
  ])('%s is %s', (alias, own) => {
    const [a, b] = [compile(alias, names), compile(own, names)]
    expect(a.ok && b.ok && a.expression.text === b.expression.text).toBe(true)
  })

  it('a sentence is one line of at most 100 characters, whatever was written', () => {
    const name = 'x'.repeat(1_500)
    for (const text of [
      name,
      `${name}(1)`,
      `close ${name}`,
      `rating == '${name}'`,
      `\`a\u001b[2J${name}\``,
      `${name} := 1; ${name} := 2; 1`,
    ]) {
      const { message, places } = refusal(text)
      expect(message.length, message).toBeLessThanOrEqual(100)
      expect(/\p{C}/u.test(message), message).toBe(false)
      expect(String(places[0] ?? '').length).toBeLessThanOrEqual(20)
    }
  })

  it('windows that would hold too much at once', () => {
    const heavy = (n: number) => Array.from({ length: n }, (_, k) => `ts_rank(close + ${k}, 500)`).join('+')
    expect(refusal(heavy(17))).toMatchObject({ code: 22005, message: '公式计算量过大，请缩短周期或减少因子' })
    expect(compile(heavy(7), names).ok).toBe(true)
  })

  it('nesting up to the limit is read', () => {
    expect(compile(`${'('.repeat(32)}close${')'.repeat(32)}`, names).ok).toBe(true)
    expect(refusal(`${'-('.repeat(20)}close${')'.repeat(20)}`).code).toBe(22004)
    expect(refusal(`${'1 ? 2 : '.repeat(40)}close`).code).toBe(22004)
  })

  it('begins with the words of the catalogue', () => {
    const texts = [
      'close close',
      'foo(1)',
      'ma(close)',
      'ma(close, 501)',
      'clsoe',
      `close${' '.repeat(2_000)}`,
      '('.repeat(40),
      `${long(200)}1`,
    ]
    for (const text of texts) {
      const { code, message, places } = refusal(text)
      expect(message.startsWith(messageOf(code, ...places)), message).toBe(true)
    }
  })

  it('names the missing field to whoever asked for the data', () => {
    expect(refusal('ytm').missing).toBe('ytm')
    expect(refusal('bond_prem').missing).toBe('pure_value')
    expect(refusal('clsoe').missing).toBeUndefined()
  })
})

describe('needs', () => {
  it.each([
    ['close', ['close'], 0],
    ['close / ref(close, 5) - 1', ['close'], 5],
    ['ts_mean(close, 20)', ['close'], 19],
    ['ts_std(pct(close, 1), 20)', ['close'], 20],
    ['ref(ts_max(close, 250), 3) + ts_mean(vol, 5)', ['close', 'vol'], 252],
    ['ts_rank(ts_mean(close, 5, 1), 10)', ['close'], 13],
    ['cs_rank(conv_prem)', ['conv_prem'], 0],
    ['x := ts_mean(vol, 60); close', ['close'], 0],
    ['if(1 > 0, close, ts_mean(vol, 60))', ['close'], 0],
    ['1 + 1', [], 0],
    ['dblow', ['close', 'conv_prem'], 0],
    ['bias_20 * vol_5', ['close', 'vol'], 19],
  ])('%s', (text, fields, lookback) => {
    expect(needs(text)).toEqual({ fields, lookback })
  })
})

describe('built-in factors', () => {
  it('a field that the data have wins over a factor of the same key', () => {
    const derived = factor('vol', 'close * 2')
    expect(needs('vol', withFactors(derived)).fields).toEqual(['vol'])
    expect(needs('vol', namesOf({ fields: markets.cb.fields, factors: [derived] }, new Set(['close']))).fields).toEqual(['close'])
  })

  it('factors stand on factors, and the window reaches the inner ones', () => {
    const inner = factor('mean_N', 'ts_mean(close, N)', { window: { default: 5, min: 2, max: 60 } })
    const outer = factor('twice_N', 'mean_N + ref(close, N * 2)', { window: { default: 10, min: 2, max: 60 } })
    expect(needs('twice_30', withFactors(inner, outer)).lookback).toBe(60)
    expect(refusal('twice_N', withFactors(inner, outer)).code).toBe(22009)
  })

  it('a parametric factor without a number has its default window', () => {
    const bias = factor('bias', 'close / ts_mean(close, N) - 1', { window: { default: 20, min: 2, max: 60 } })
    expect(needs('bias', withFactors(bias)).lookback).toBe(19)
    expect(needs('bias_5', withFactors(bias)).lookback).toBe(4)
    expect(refusal('bias_1', withFactors(bias)).code).toBe(22008)
  })

  it('may look back further than a user may write', () => {
    const long = factor('long', 'ts_mean(close, 750)')
    expect(needs('ts_mean(long, 500)', withFactors(long)).lookback).toBe(1_248)
  })

  it('factors that name each other are refused', () => {
    const problem = refusal('甲', withFactors(factor('甲', '乙 + 1'), factor('乙', '丙 + 1'), factor('丙', '甲 + 1')))
    expect(problem).toMatchObject({ code: 22010, message: '因子存在循环引用（第1行第1列）：甲 → 乙 → 丙 → 甲' })
  })

  it.each(['cb', 'stk'] as const)('all of %s compile where every field is there', (kind) => {
    const { fields, reportItems = [] } = markets[kind]
    const all = namesOf(markets[kind], new Set([...fields, ...reportItems].map(({ key }) => key)))
    const refused = markets[kind].factors.flatMap(({ key }) => {
      const made = compileRef(key.replace(/(^|_)N(?=_|$)/, '$120'), all)
      return made.ok ? [] : [made.problem.message]
    })
    expect(refused).toEqual([])
  })
})

describe('a factor as requests name it', () => {
  it.each([
    ['dblow', 'dblow'],
    ['bias_20', 'bias_20'],
    ['formula: close/ref(close,5)-1', 'close / ref(close, 5) - 1'],
    ['formula：收盘价', 'close'],
    [' close ', 'close'],
  ])('%s', (ref, text) => {
    expect(compileRef(ref, names)).toMatchObject({ ok: true, expression: { text } })
  })

  it('an unknown one is refused; places of a formula count from its own start', () => {
    expect(compileRef('nothing', names)).toMatchObject({ ok: false, problem: { code: 22009, places: ['nothing'] } })
    expect(compileRef('close + 1', names)).toMatchObject({ ok: false, problem: { code: 22009 } })
    expect(compileRef('formula: close +', names)).toMatchObject({ ok: false, problem: { code: 22002, pos: { line: 1, column: 8 } } })
  })
})

describe('calculations', () => {
  const tree = (text: string) => {
    const result = compile(text, names)
    if (!result.ok) throw new Error(result.problem.message)
    return result.expression.tree.graph.nodes.length
  }

  it('common parts are one', () => {
    expect(tree('ts_std(close, 20) / ts_std(close, 20) + ts_std(收盘价, 20)')).toBe(tree('ts_std(close, 20) / ts_std(close, 20)') + 1)
    expect(tree('(close > open) + (open < close)')).toBe(4)
  })

  it('the rank of a rank is that rank, of an older one another', () => {
    expect(tree('cs_rank(rank(cs_rank(close)))')).toBe(tree('cs_rank(close)'))
    expect(tree('cs_rank(ref(cs_rank(close), 1))')).toBe(tree('cs_rank(ref(close, 1))') + 1)
  })

  it('chained local names do not grow into a forest', () => {
    const doubling = Array.from({ length: 40 }, (_, k) => `x${k + 1} := x${k} + x${k};`).join(' ')
    expect(tree(`x0 := close; ${doubling} x40`)).toBe(41)
  })
})

describe('the canonical text', () => {
  it.each([
    ['names that stand only in backticks', '`a b` := close; `and` := open; `1日` := 2; `a b` + `AND` * `1日`'],
    ['a market series likewise', 'mkt(`000300`)'],
    ['curly quotes in a text', "industry_1 == '“a” or close > 0 or “b'"],
    ['full-width quotes in a text', "industry_1 == '＂银行'"],
    ['single quotes in a text', 'industry_1 == "a\'b’c"'],
    ['a local name spelt like a key, and that factor by its label', 'close := open * 2; close / 收盘价'],
  ])('is the same calculation: %s', (_, text) => {
    const told = (formula: string) => {
      const made = compile(formula, names)
      if (!made.ok) throw new Error(`${made.problem.message}\n${formula}`)
      const { tree, formula: canonical } = made.expression
      return { canonical, signature: tree.graph.signature(tree.root) }
    }
    const written = told(text)
    expect(told(written.canonical)).toEqual(written)
  })
})

describe('the table of functions', () => {
  it('has a name once', () => {
    const all = functionTable.flatMap((entry) => [entry.name, ...entry.aliases])
    expect(all.length).toBe(new Set(all).size)
  })

  it('examples compile', () => {
    const all = namesOf(markets.cb, new Set([...markets.cb.fields, ...(markets.cb.reportItems ?? [])].map(({ key }) => key)))
    const refused = functionTable.flatMap(({ example }) => {
      const made = compile(example, all)
      return made.ok ? [] : [made.problem.message]
    })
    expect(refused).toEqual([])
  })

  it('says its look-back and whether it looks across', () => {
    const all = namesOf(markets.cb, new Set([...markets.cb.fields, ...(markets.cb.reportItems ?? [])].map(({ key }) => key)))
    for (const entry of functionTable) {
      const written = (arg: FunctionArgument) =>
        ({
          series: 'close',
          report: 'revenue',
          window: '7',
          number: String(arg.least ?? 0),
          choice: `'${arg.choices?.[1]}'`,
          text: "'AA'",
        })[arg.kind as string] ??
        { date: 'list_date', benchmark: "'000300'" }[arg.kind as string] ??
        'rating'
      const made = compile(`${entry.name}(${entry.args.map(written).join(', ')})`, all)
      const numbers = entry.args.filter((arg) => arg.kind === 'window').map(() => 7)
      const texts = entry.args.flatMap((arg) => (arg.choices ? [arg.choices[1]] : arg.kind === 'benchmark' ? ['000300'] : []))
      expect(made, entry.name).toMatchObject({
        ok: true,
        expression: { crossSection: entry.isCrossSection, needs: { lookback: entry.lookback(numbers, texts) } },
      })
    }
  })
})

import { quoted } from '../base/problem.ts'
import type { BinaryOperator, Local, Program, Tree, UnaryOperator } from './ast.ts'
import { limits } from './limits.ts'
import { FormulaError, type Span } from './problem.ts'
import { type Token, tokenize } from './tokenize.ts'

/** Text → program, or the first mistake thrown as a Refusal (22001–22004). The grammar is that of domain.md 4.2. */
export function parse(text: string): Program {
  const reader = new Reader(tokenize(text))
  const locals: Local[] = []
  while (reader.startsAssignment()) locals.push(reader.assignment())
  const result = reader.expression()
  reader.finish()
  return { locals, result }
}

/** Operators that are read left to right, loosest first; the comparison (one, no chain) stands between the two tables. */
const logical: readonly (readonly BinaryOperator[])[] = [['or'], ['and']]
const comparisons: readonly BinaryOperator[] = ['<', '<=', '>', '>=', '==', '!=']
const arithmetic: readonly (readonly BinaryOperator[])[] = [
  ['+', '-'],
  ['*', '/', '%'],
]

/** A reader of tokens: one method per line of the grammar. Every nesting passes `nested`, so depth is bounded before the stack is. */
class Reader {
  private readonly tokens: readonly Token[]
  private at = 0
  /** The outermost expression is not nested. */
  private depth = -1
  private nodes = 0

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens
  }

  startsAssignment(): boolean {
    const name = this.tokens[this.at]
    const sign = this.tokens[this.at + 1]
    return name?.kind === 'name' && sign?.kind === 'sign' && sign.value === ':='
  }

  assignment(): Local {
    const token = this.next()
    if (token.kind !== 'name') throw this.unexpected(token)
    this.next()
    const value = this.expression()
    const end = this.expect(';', '赋值语句应以“;”结束').end
    return { name: token.value, value, start: token.start, end }
  }

  finish(): void {
    const token = this.peek()
    if (token.kind === 'end') return
    if (this.isSign(':=')) throw new FormulaError(22002, '公式语法错误{place}：“:=”左边应是一个新名称', token)
    throw this.unexpected(token)
  }

  expression(): Tree {
    return this.nested(() => {
      const test = this.leftToRight(logical, 0, () => this.negation())
      if (!this.isSign('?')) return test
      this.next()
      const yes = this.expression()
      this.expect(':', '条件表达式缺少“:”')
      const no = this.expression()
      return this.made({ kind: 'choice', test, yes, no, start: test.start, end: no.end })
    })
  }

  private negation(): Tree {
    const token = this.peek()
    if (!this.isSign('not')) return this.comparison()
    this.next()
    return this.nested(() => {
      const of = this.comparison()
      return this.made({ kind: 'unary', operator: 'not', of, start: token.start, end: of.end })
    })
  }

  private comparison(): Tree {
    const left = this.leftToRight(arithmetic, 0, () => this.signed())
    const operator = this.operator(comparisons)
    if (!operator) return left
    const right = this.leftToRight(arithmetic, 0, () => this.signed())
    const again = this.peek()
    if (this.operator(comparisons)) {
      throw new FormulaError(22002, '公式语法错误{place}：比较不能连写，请用 and 连接，例如 1 < x and x < 2', again)
    }
    return this.made({ kind: 'binary', operator, left, right, start: left.start, end: right.end })
  }

  private leftToRight(levels: readonly (readonly BinaryOperator[])[], level: number, atom: () => Tree): Tree {
    const operators = levels[level]
    if (!operators) return atom()
    let left = this.leftToRight(levels, level + 1, atom)
    for (;;) {
      const operator = this.operator(operators)
      if (!operator) return left
      const right = this.leftToRight(levels, level + 1, atom)
      left = this.made({ kind: 'binary', operator, left, right, start: left.start, end: right.end })
    }
  }

  private signed(): Tree {
    const token = this.peek()
    if (!this.isSign('-') && !this.isSign('+')) return this.power()
    this.next()
    const operator: UnaryOperator = token.kind === 'sign' && token.value === '-' ? '-' : '+'
    return this.nested(() => {
      const of = this.power()
      return this.made({ kind: 'unary', operator, of, start: token.start, end: of.end })
    })
  }

  private power(): Tree {
    const left = this.atom()
    if (!this.isSign('^')) return left
    this.next()
    return this.nested(() => {
      const right = this.signed()
      return this.made({ kind: 'binary', operator: '^', left, right, start: left.start, end: right.end })
    })
  }

  private atom(): Tree {
    const token = this.next()
    if (token.kind === 'number' || token.kind === 'text') return this.made(token)
    if (token.kind === 'name') return this.isSign('(') && !token.quoted ? this.call(token) : this.made({ ...token, name: token.value })
    if (token.kind === 'sign' && token.value === '(') {
      const inner = this.expression()
      const end = this.expect(')', '缺少右括号“)”').end
      return { ...inner, start: token.start, end }
    }
    throw this.unexpected(token)
  }

  private call(name: Token & { kind: 'name' }): Tree {
    this.next()
    const args: Tree[] = []
    if (!this.isSign(')')) {
      args.push(this.expression())
      while (this.isSign(',')) {
        this.next()
        args.push(this.expression())
      }
    }
    const end = this.expect(')', '缺少右括号“)”').end
    return this.made({ kind: 'call', name: name.value, nameEnd: name.end, args, start: name.start, end })
  }

  private operator(among: readonly BinaryOperator[]): BinaryOperator | null {
    const token = this.peek()
    if (token.kind !== 'sign') return null
    const operator = among.find((candidate) => candidate === token.value)
    if (!operator) return null
    this.at++
    return operator
  }

  private nested(inner: () => Tree): Tree {
    this.depth++
    if (this.depth > limits.depth) throw new FormulaError(22004, `公式嵌套层数过多{place}：最多${limits.depth}层`, this.peek())
    const tree = inner()
    this.depth--
    return tree
  }

  private made(tree: Tree): Tree {
    this.nodes++
    if (this.nodes > limits.nodes) throw new FormulaError(22003, `公式过于复杂：最多${limits.nodes}个运算项`, null)
    return tree
  }

  private expect(sign: string, otherwise: string): Span {
    const token = this.peek()
    if (!this.isSign(sign)) throw new FormulaError(22002, `公式语法错误{place}：${otherwise}`, token)
    this.at++
    return token
  }

  private isSign(sign: string): boolean {
    const token = this.peek()
    return token.kind === 'sign' && token.value === sign
  }

  private peek(): Token {
    return this.tokens[this.at] as Token
  }

  private next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at++
    return token
  }

  private unexpected(token: Token): FormulaError {
    if (token.kind === 'end')
      return new FormulaError(22002, this.at === 0 ? '公式语法错误{place}：公式为空' : '公式语法错误{place}：公式不完整', token)
    const shown = token.kind === 'number' || token.kind === 'sign' ? String(token.value) : token.value
    return new FormulaError(22002, `公式语法错误{place}：此处不应出现“${quoted(shown)}”`, token)
  }
}

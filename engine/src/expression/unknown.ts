import { quoted } from '../base/problem.ts'
import { functionNamed, functionsByName } from './functions/index.ts'
import { signature } from './functions/signature.ts'
import { knownNames, type Lacking, lackingOf, type Names, resolve } from './names.ts'
import { FormulaError, type Span } from './problem.ts'
import { nearest } from './spelling.ts'

// Names that stand for nothing here, each with what may have been meant, and those that the data of now lack.
// `locals` are the names given in the text itself, in lower case.

/** Of a derived field the first thing is named that it cannot be made of. */
export function missingField(
  { key, label, derived }: Lacking,
  name: string,
  span: Span,
  names: Names,
  worked: string | null = null,
): FormulaError {
  const part = derived && names.missing?.get(lackingOf(key, names)[0])
  // The name is known and only the data lack it: the sentence must not suggest a typing mistake.
  const lacks = part
    ? `当前行情数据算不出“${label}”（${key}）{place}：缺少“${part.label}”（${part.key}）`
    : `当前行情数据没有字段“${label}”（${key}）{place}`
  return new FormulaError(22009, lacks, span, [quoted(name)], part?.key ?? key, worked)
}

export function unknownName(name: string, span: Span, names: Names, locals: ReadonlyMap<string, unknown>): FormulaError {
  const entry = functionNamed(name)
  if (entry) {
    const message = `未知因子：${quoted(name)}{place}，它是函数，需要写参数：${signature(entry)}`
    return new FormulaError(22009, message, span, [quoted(name)])
  }
  const near = nearest(name, [...locals.keys(), ...knownNames(names)])
  return new FormulaError(22009, `未知因子：${quoted(name)}{place}${near ? `，是否指 ${near}？` : ''}`, span, [quoted(name)])
}

export function unknownFunction(name: string, span: Span, names: Names, locals: ReadonlyMap<string, unknown>): FormulaError {
  if (locals.has(name.toLowerCase()) || resolve(name, names)) {
    return new FormulaError(22006, `未知函数：${quoted(name)}{place}，它是因子，后面不能跟括号`, span, [quoted(name)])
  }
  const near = nearest(name, [...functionsByName.keys()])
  return new FormulaError(22006, `未知函数：${quoted(name)}{place}${near ? `，是否指 ${near}？` : ''}`, span, [quoted(name)])
}

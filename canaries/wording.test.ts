import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// Words that users see no more (experience.md 13), with what stands in their place.

const root = resolve(import.meta.dirname, '..')
const sources = globSync('{contract,engine,server,web}/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !/\.test\.tsx?$/.test(file))

const old: Readonly<Record<string, string>> = {
  凑出来: '过拟合',
  它仍然只说过去: '这只是历史表现',
  换一种排列会怎样: '打乱次序重演 1,000 次',
  去极值稳定: '去掉最好的还剩多少',
  邻域稳定: '参数微调是否稳定',
  邻域变动: '与邻格的差别',
  稳健性: '靠谱吗',
  样本外跟踪: '保存后的表现',
  读图结论: '这张网格说明什么',
  股票没有参数网格: '(nothing: stocks are checked too)',
}

test.each(Object.entries(old))('nowhere %s, but %s', (word) => {
  expect(sources.length).toBeGreaterThan(500)
  expect(sources.filter((file) => readFileSync(join(root, file), 'utf8').includes(word))).toEqual([])
})

test('keys ask one function whether an input method has them', () => {
  const asking = sources.filter((file) => /\.isComposing\b|keyCode/.test(readFileSync(join(root, file), 'utf8')))
  expect(asking).toEqual([join('web', 'src', 'base', 'composing.ts')])
})

// `${left > 0 && …}` writes 'false' where it does not hold, and an element in a text is '[object Object]'.
const written = /\$\{[^{}`?]*(?:[<>]=?|[!=]==|\.includes\([^)]*\))[^{}`?]*&&\s*[`'"(<]/

test('no text is made of a comparison', () => {
  expect(written.test(['`日期', "{from > 0 && '（全部见 CSV）'}`"].join('$'))).toBe(true)
  expect(sources.filter((file) => written.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('年化相减 is explained, and never a figure of its own', () => {
  const said = sources.filter((file) => readFileSync(join(root, file), 'utf8').replaceAll('不等于两个年化相减', '').includes('年化相减'))
  expect(said).toEqual([])
})

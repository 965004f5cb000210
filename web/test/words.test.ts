import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

// Words that no user may read anywhere (product.md 3.7): promises, advice, lures; and other products' names.
// What is read are the Chinese texts of the sources that the web app and the server are built from.

const root = fileURLToPath(new URL('../..', import.meta.url))
const folders = ['web/src', 'contract/src', 'engine/src', 'server/src']
const promises = [
  '稳赚',
  '必涨',
  '买点',
  '卖点',
  '翻倍',
  '财富自由',
  '收益率排行',
  '躺赚',
  '暴富',
  '抄底',
  '保本',
  '无风险套利',
  '推荐买',
  '推荐卖',
  '今日买入',
  '今日卖出',
]
const brands = ['禄得', '集思录', '聚宽', '米筐', '果仁', '优矿', '掘金', '同花顺', '东方财富', '雪球', 'BigQuant', 'JoinQuant', '宁稳']

/** A sentence may say what is not done. */
const denied = /(?:不|非|没有|无|禁止|并不|不会)[^，。；]{0,12}$/

const files = folders.flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|tsx)$/.test(name) && !/\.test\.|\.d\.ts$/.test(name))
    .map((name) => `${folder}/${name}`),
)

/** Comments are for engineers: they may name a source. */
const shown = (text: string) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')

test('the sources are there to be read', () => expect(files.length).toBeGreaterThan(500))

test.each([...promises, '推荐'])('nobody reads “%s”', (word) => {
  const found = files.flatMap((file) => {
    const text = shown(readFileSync(`${root}${file}`, 'utf8'))
    return [...text.matchAll(new RegExp(word, 'g'))]
      .filter(({ index }) => !denied.test(text.slice(Math.max(0, index - 16), index)))
      .map(({ index }) => `${file}: …${text.slice(Math.max(0, index - 12), index + 12).replace(/\s+/g, ' ')}…`)
  })
  expect(found).toEqual([])
})

test('no other product is named in what users read', () => {
  const texts = files.filter((file) => file.startsWith('web/src') || file.startsWith('contract/src'))
  const found = texts.flatMap((file) => {
    const text = shown(readFileSync(`${root}${file}`, 'utf8'))
    return brands.filter((brand) => text.includes(brand)).map((brand) => `${file}: ${brand}`)
  })
  expect(found).toEqual([])
})

test('the disclaimer stands at every page’s foot and below a report’s conclusion', () => {
  const risk = readFileSync(`${root}web/src/pages/layout/risk.ts`, 'utf8')
  expect(risk).toContain('不构成')
  expect(risk).toContain('不代表')
  const users = files.filter((file) => readFileSync(`${root}${file}`, 'utf8').includes('riskSentence'))
  expect(users).toContain('web/src/pages/layout/footer.tsx')
})

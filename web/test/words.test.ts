import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { riskSentence } from '../src/features/legal/risk-sentence.ts'

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

/** What a page shows comes from files that it imports, and those that they do. */
function reach(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+\.tsx)'/g))
    reach(join(dirname(file), path), seen)
  return seen
}

// Below a report's conclusion: conclusion.test.ts; on the screens themselves: e2e/journeys/axe.test.ts.
test.each(
  [
    ...['home/home', 'strategy/strategy', 'strategy/group', 'strategy/compare', 'report/shared-report'],
    ...['strategy/strategies', 'strategy/group-strategies', 'strategy/backtest-history'],
  ]
    .map((name) => `${name}-page`)
    .concat(['screen', 'history', 'grid', 'binning', 'backtest', 'report'].map((name) => `rotation/${name}`)),
)('a page of results ends with the disclaimer: %s', (page) => {
  expect([...reach(`${root}web/src/features/${page}.tsx`)]).toContain(`${root}web/src/features/legal/footer.tsx`)
  expect(readFileSync(`${root}web/src/features/legal/footer.tsx`, 'utf8')).toContain('{riskSentence}')
  for (const words of ['不构成', '不代表']) expect(riskSentence).toContain(words)
})

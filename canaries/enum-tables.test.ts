import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

// One home for each enum: its table in contract/src/enums. Labels stand nowhere else, and the engine takes nothing else of the contract by value.

const root = resolve(import.meta.dirname, '..')
const home = 'contract/src/enums/'
const sources = globSync('{contract,engine,server,web}/src/**/*.{ts,tsx}', { cwd: root })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => !/\.test\.tsx?$/.test(file))
const textOf = (file: string) => readFileSync(join(root, file), 'utf8')

test('the engine takes values of the contract from the enum tables alone', () => {
  const taken = (text: string) =>
    [
      ...text.matchAll(
        /(?:^|\n)(?:import|export)(?!\s+type\b)[^'"]*?from\s+'(@convexa\/contract[^']*)'|import\(\s*'(@convexa\/contract[^']*)'/g,
      ),
    ]
      .map(([, from = '', late = '']) => from || late)
      .filter((from) => !from.startsWith('@convexa/contract/enums/'))
  const canary = (name: string) => taken(textOf(`canaries/engine-values/${name}`))
  expect([canary('imports-a-contract-value.ts'), canary('imports-an-enum.ts')]).toEqual([['@convexa/contract/wire-market'], []])
  const files = sources.filter((file) => file.startsWith('engine/src/'))
  expect(files.length).toBeGreaterThan(100)
  expect(files.filter((file) => taken(textOf(file)).length > 0)).toEqual([])
})

test('an enum table imports nothing outside its folder', () => {
  const imports = (file: string) => [...textOf(file).matchAll(/from '([^']+)'/g)].map(([, from = '']) => from)
  const tables = sources.filter((file) => file.startsWith(home))
  expect(tables.length).toBeGreaterThan(10)
  expect(tables.filter((file) => imports(file).some((from) => !/^\.\/[a-z-]+\.ts$/.test(from)))).toEqual([])
})

/** Files that say three labels of an enum for a reason of their own. */
const exempt: Readonly<Record<string, string>> = {
  'engine/src/bond/rating-yields.ts': 'a rating is its own label, and curves are found by it',
  'server/src/feeds/tushare/lists.ts': 'words of the source',
}
const labelsAtOnce = 3

test('no file but its table holds three labels of an enum', async () => {
  const labels = new Map<string, ReadonlySet<string>>()
  for (const file of sources.filter((each) => each.startsWith(home) && !each.endsWith('/table.ts'))) {
    for (const [name, table] of Object.entries((await import(join(root, file))) as Record<string, unknown>)) {
      if (typeof table !== 'object' || table === null) continue
      const rows = Object.values(table) as { label: string; byMarket?: Record<string, string> }[]
      labels.set(name, new Set(rows.flatMap(({ label, byMarket = {} }) => [label, ...Object.values(byMarket)])))
    }
  }
  const second = (text: string) => {
    const said = literalsOf(text)
    return [...labels].flatMap(([name, own]) => ([...own].filter((label) => said.has(label)).length >= labelsAtOnce ? [name] : []))
  }
  expect(second("const words = { a: '真实撮合', b: '按名次', c: '等权', d: '按因子' } // '理想撮合'")).toEqual(['holdWeights'])
  expect(second('<i>等权</i><i> 按名次 </i>\n{ 按因子: 4 }')).toEqual(['holdWeights'])
  const found = sources.flatMap((file) => (file.startsWith(home) ? [] : second(textOf(file)).map((name) => `${file}: ${name}`)))
  expect(found.filter((each) => exempt[each.split(':')[0] ?? ''] === undefined)).toEqual([])
  // What is exempt without need is struck off.
  expect(Object.keys(exempt).filter((file) => !found.some((each) => each.startsWith(file)))).toEqual([])
})

/** Strings, templates of one line without a `${`, texts between tags and Chinese keys of a source, comments left out. */
function literalsOf(text: string): Set<string> {
  const said = new Set<string>()
  const code = text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`([^`$\n]*)`/g,
    (_, ...given: (string | undefined)[]) => {
      const literal = given.slice(0, 3).find((each) => each !== undefined)
      if (literal !== undefined) said.add(literal.trim())
      return ' '
    },
  )
  for (const [, inside = ''] of code.matchAll(/>([^<>{}]+)</g)) said.add(inside.trim())
  for (const [key] of code.matchAll(/[\u4e00-\u9fff]+(?=\s*:)/g)) said.add(key)
  return said
}

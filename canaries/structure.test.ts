import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error a script without types
import { checks } from '../scripts/check/checks.mjs'
// @ts-expect-error a script without types
import { judge } from '../scripts/check/judge.mjs'
// @ts-expect-error a script without types
import { treeOf } from '../scripts/check/tree.mjs'
// @ts-expect-error a configuration without types
import stylelintConfig from '../web/stylelint.config.mjs'

// Each number of the checks in scripts/check sees its fault: below, a small tree with the faults, and what must be said of it.

interface Offender {
  file: string
  line?: number
  text: string
}
interface Measured {
  name: string
  value: number
  offenders: Offender[]
}
type Files = Record<string, string>

const numbersOf = (check: string, files: Files, context: object = {}): Promise<Measured[]> | Measured[] =>
  checks[check](treeOf(new Map(Object.entries(files))), { stylelintConfig, ...context })

/** Numbers that are not 0, with the places of their offenders. */
async function found(check: string, files: Files, context?: object): Promise<Record<string, [number, ...string[]]>> {
  const numbers = await numbersOf(check, files, context)
  return Object.fromEntries(
    numbers
      .filter(({ value }) => value !== 0)
      .map(({ name, value, offenders }) => [
        name,
        [value, ...offenders.map(({ file, line }) => (line === undefined ? file : `${file}:${line}`))],
      ]),
  )
}

async function onDisk<T>(files: Files, use: (root: string) => Promise<T>): Promise<T> {
  const root = mkdtempSync(join(tmpdir(), 'convexa-structure-'))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  try {
    return await use(root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const lines = (count: number) => 'x\n'.repeat(count)
const many = (folder: string, count: number): Files =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${folder}/file-${i}.ts`, '']))

test('literals: a Chinese text in two packages, as string, template or text of an element', async () => {
  const files = {
    'contract/src/a.ts': "export const a = '剔除停牌'\nexport const call = { summary: '导出持仓表' } // 换手上限值\n",
    'server/src/b.ts': `const b = ['换手上限值', "导出持仓表", "甲乙丙丁戊己庚辛壬癸甲乙丙丁戊己庚"]\nconst c = [\`下一交易日\`, \`再\${n}个交易日\`]\n`,
    'web/src/c.tsx': `export const C = () => (\n  <p>\n    剔除停牌\n  </p>\n)\nconst d = \`下一交易日\`\nconst e = \`再\${n}个交易日\`\n`,
    'web/src/c.test.ts': "test('换手上限值', () => {})\n",
    'web/src/styleguide/d.ts': "const d = '换手上限值'\n",
  }
  expect(await found('literals', files)).toEqual({ 'Chinese texts in two packages': [2, 'contract/src/a.ts:1', 'server/src/b.ts:2'] })
})

test('enums: a missing table, labels in a second file, comparisons with values, a switch that forgets silently', async () => {
  const files = {
    'contract/src/enums/hold-weight.ts':
      "export const holdWeights = {\n  1: { label: '等权' },\n  3: { label: '按规模', byMarket: { stk: '按市值' } },\n  4: { label: '按因子' },\n} as const\n",
    'contract/src/enums/fill.ts': '',
    'contract/src/enums/execution.ts':
      "export const executions = { realistic: { label: '真实撮合' }, ideal: { label: '理想撮合' } } as const\n",
    'web/src/words.tsx': "const words = { a: '按市值', b: '等权' } // 按规模\nexport const W = () => <b> 按因子 </b>\n",
    'web/src/two.ts': "const two = ['按市值', '等权', '真实撮合', '理想撮合']\n",
    'server/src/branches.ts': `export const a = settings.execution === 'ideal' || 4 !== holdWeightType
export const b = execution === 'other' || weight === 4 ? (labels[weight] ?? weight) : (labels[weight] ?? other)
switch (rule.hold_weight_type) {
  case 1:
    x()
    break
  default:
    throw rule.hold_weight_type satisfies never
}
switch (execution) {
  case 'ideal':
    x()
}
`,
  }
  const { 'enums without a table': missing, ...others } = await onDisk(files, (root) => found('enums', files, { root }))
  expect(others).toEqual({
    'rows of enums.json beside their table': [1, 'contract/src/enums/fill.ts'],
    'files that hold 3 labels of an enum': [1, 'web/src/words.tsx:1'],
    'comparisons with a value of an enum': [2, 'server/src/branches.ts:1', 'server/src/branches.ts:1'],
    'lookups that show the value where the table lacks it': [1, 'server/src/branches.ts:2'],
    'switches over an enum without `satisfies never`': [1, 'server/src/branches.ts:10'],
  })
  expect(missing).toContain('contract/src/enums/stop-type.ts')
  expect(missing).not.toContain('contract/src/enums/execution.ts')
})

test('markets: comparisons and switches by the name of a market, and lists of them', async () => {
  const files = {
    'server/src/a.ts': "export const a = (kind: Kind) => kind === 'cb' || 'stk' !== kind\nif (source === 'index') x()\n",
    'web/src/b.ts': "switch (kind) {\n  case 'cb':\n    x()\n}\n",
    'web/src/b.test.ts': "const b = kind === 'cb'\n",
    'bench/src/c.ts': "const c = kind === 'cb'\n",
    'e2e/src/d.ts': "\nconst d = one.kind === 'stk'\n",
    'server/src/e.ts': "const e = ['index', 'stk', 'cb']\ntype E = 'cb' | 'stk'\nf('cb', 1, 'stk') // 'cb', 'stk'\n",
  }
  expect(await found('markets', files)).toEqual({
    'lists of the markets in the packages': [2, 'server/src/e.ts:1', 'server/src/e.ts:2'],
    'comparisons with a market in the packages': [3, 'server/src/a.ts:1', 'server/src/a.ts:1', 'web/src/b.ts:1'],
    'comparisons with a market in bench': [1, 'bench/src/c.ts:1'],
    'comparisons with a market in e2e': [1, 'e2e/src/d.ts:2'],
  })
})

test('words: of the field, of comments, and names that were renamed', async () => {
  const files = {
    'contract/src/kind.ts': "export type Kind = 'cb' | 'stk'\nconst twin = 1\n",
    'contract/src/saved-strategy.ts': 'export interface StrategySummary {\n  day: string\n}\n',
    'contract/src/vip-unlock.ts': 'const local = () => {\n  const membershipLifts = 1\n}\nexport const vipUnlocks = local\n',
    'contract/src/envelope.ts': `/**
 * Who asks for a page.
 */
export const page = 1
// A cursor of pagination,
// who is stable.
export const cursor = 1 // Refused: whoever asks twice.
/* The client is told; nobody hears it. */
`,
    'qmt-client/convexa_qmt/book.py': '"""Whose a volume is."""\n\n# All orders of today,\n# whoever gave them.\n',
    'bench/a.css': '/* Whose width is fixed */\n.a {\n}\n',
  }
  const { 'words of the field that are not in their file': missing, ...others } = await found('words', files)
  expect(others).toEqual({
    'comments that begin with Who': [3, 'bench/a.css:1', 'contract/src/envelope.ts:1', 'qmt-client/convexa_qmt/book.py:1'],
    'comments with "whoever" or a "who" clause as subject': [2, 'contract/src/envelope.ts:7', 'qmt-client/convexa_qmt/book.py:3'],
    'comments in private words': [1, 'contract/src/envelope.ts:8'],
    'old names that are declared': [1, 'contract/src/kind.ts:1'],
    'old paths that are there': [1, 'contract/src/kind.ts'],
    'renames whose old and new name are both absent': [1, 'contract/src/call-table.ts'],
  })
  expect(missing).toContain('server/src/payment/settle.ts')
  expect(missing).not.toContain('contract/src/envelope.ts')
})

test('renames: each row says where a thing is, where it ends, and what becomes of its name', () => {
  const rows = JSON.parse(readFileSync(join(import.meta.dirname, '../scripts/check/renames.json'), 'utf8')) as Record<string, string>[]
  expect(rows.length).toBeGreaterThan(200)
  const wrong = rows.filter(({ package: name = '', kind = '', old, new: now, path = '', newPath = '' }) => {
    const named = /^(file|folder)$/.test(kind) ? old === undefined && now === undefined && path !== newPath : old !== now
    return !named || ![path, newPath].every((each) => each.startsWith(`${name}/`))
  })
  expect(wrong).toEqual([])
})

test('floors: folders that import each other, imports upwards or of the same floor, of types too, folders without a floor', async () => {
  const files = {
    'engine/src/panel/panel.ts': "import type { Rank } from '../screen/rank.ts'\n",
    'engine/src/screen/rank.ts': "import { panel } from '../panel/panel.ts'\nimport { base } from '../base/base.ts'\n",
    'engine/src/base/base.ts': "const late = () => import('../grid/grid.ts')\n",
    'engine/src/grid/grid.ts': "import { bins } from '../binning/bins.ts'\n",
    'engine/src/binning/bins.ts': "import { other } from './other.ts'\n",
    'engine/src/binning/bins.test.ts': "import { grid } from '../grid/grid.ts'\n",
    'engine/src/crew/crew.ts': '',
    'web/src/features/rule/draft.ts': "import { home } from '../home/home.ts'\n",
    'contract/src/alert.ts': "import { labels } from './enums/alert.ts'\nimport { other } from './order.ts'\n",
    'contract/src/enums/alert.ts': '',
  }
  expect(await found('floors', files)).toEqual({
    'pairs of folders that import each other': [1, 'engine/src/panel/panel.ts:1'],
    'imports of a higher folder': [
      4,
      'engine/src/base/base.ts:1',
      'engine/src/grid/grid.ts:1',
      'engine/src/panel/panel.ts:1',
      'web/src/features/rule/draft.ts:1',
    ],
    'folders without a floor': [1, 'engine/src/crew'],
  })
})

test('folders: too many files, and a feature with a second home', async () => {
  const files = {
    ...many('server/test', 42),
    ...many('server/test/flows', 40),
    ...many('engine/src/screen', 61),
    'engine/src/screen/a.test.ts': '',
    'web/src/quant/binning/bins.css': '',
    'web/src/features/binning/bins.ts': '',
    'web/src/ui/grid/grid.tsx': '',
  }
  expect(await found('folders', files)).toEqual({
    'files above 40 in folders of tests': [2, 'server/test'],
    'files above 60 in folders of src': [1, 'engine/src/screen'],
    'folders of a web feature outside web/src/features': [1, 'web/src/quant/binning'],
  })
})

test('css: each rule of the scale, breakpoints, cards and tables made by hand', async () => {
  const files = {
    'web/src/tokens.css': ':root {\n  --brand: #1f5fbf;\n}\n',
    'web/src/a.css': `#a {
  margin: 0 calc(var(--space-8) * 2) auto;
  padding: 3px;
  color: #fff !important;
}
@media (max-width: 768px) {
  .a .b .c > .d {
    font-size: var(--font-12);
    z-index: 1000;
  }
}
@container (max-width: 900px) {
}
@media (min-width: 900px) {
  .e {
    gap: var(--space-4) 1px;
    border-radius: 50%;
  }
  .e {
    line-height: 1.5;
  }
}
`,
    'web/src/report-print.css': '.a {\n  display: none !important;\n}\n',
    'web/src/b.tsx':
      'export const B = ({ wide }: P) => (\n  <section className={wide ? `card wide` : "card-note"}>\n    <table />\n  </section>\n)\n',
    'web/src/ui/card.tsx': 'export const Card = () => <section className="card"><table /></section>\n',
  }
  expect(await found('css', files)).toEqual({
    'lines of CSS': [28],
    breakpoints: [2, 'web/src/a.css:6', 'web/src/a.css:12'],
    'values outside the scale': [3, 'web/src/a.css:3', 'web/src/a.css:9', 'web/src/a.css:20'],
    'colours outside tokens.css': [1, 'web/src/a.css:4'],
    '!important outside print': [1, 'web/src/a.css:4'],
    'selectors by id': [1, 'web/src/a.css:1'],
    'selectors of more than three parts': [1, 'web/src/a.css:7'],
    'selectors that stand twice in a file': [1, 'web/src/a.css:19'],
    'media queries outside the four breakpoints': [1, 'web/src/a.css:14'],
    'cards made by hand': [1, 'web/src/b.tsx:2'],
    'tables made by hand': [1, 'web/src/b.tsx:3'],
  })
})

test('docs: words, rows and paths, words defined twice, missing documents, order and titles of decisions', async () => {
  const given = {
    'README.md': '# Convexa\nfour | words here\n',
    'README.zh-CN.md': '# 凸度量化\n运行 `npm start`，打开浏览器。\n',
    'ARCHITECTURE.md': 'See `engine/src/screen` and `engine/src/screen`, `server/src/api.ts`, `npm`.\n',
    'GLOSSARY.md':
      '| word | 中文 | means |\n|---|---|---|\n| **Round** | 轮次 | a |\n| **Stop**, **Stops** (of a rule) | 止损 | b |\n| **round** | – | c |\n',
    'decisions/README.md': '| [0002](0002-page.md) | 0002 Page |\n| [0001](0001-chart-export.md) | what leaves a chart |\n',
    'decisions/0001-chart-export.md': '# Chart export\n',
    'decisions/0002-page.md': '# 0002 Page\n',
    'decisions/0003-what-is-told.md': '# What is told\n',
    'server/src/qmt/README.md': lines(26),
  }
  const { 'documents that are missing': missing, ...others } = await found('docs', given)
  expect(others).toEqual({
    'words of README.md': [6],
    'words of README.zh-CN.md': [3 + 6],
    'words of ARCHITECTURE.md': [6],
    'paths in ARCHITECTURE.md': [2],
    'rows of GLOSSARY.md': [3],
    'words that GLOSSARY.md defines twice': [1, 'GLOSSARY.md:5'],
    'READMEs of folders outside 5 to 25 lines': [1, 'server/src/qmt/README.md'],
    'rows of decisions/README.md out of order': [1, 'decisions/README.md:2'],
    'rows of decisions/README.md that do not say the title': [1, 'decisions/README.md:2'],
    'decisions without a row in their index': [1, 'decisions/0003-what-is-told.md'],
    'decisions whose file is not named by a noun title': [2, 'decisions/0002-page.md:1', 'decisions/0003-what-is-told.md:1'],
  })
  expect(missing).toContain('docs/operations.md')
  expect(missing).not.toContain('server/src/qmt/README.md')
})

test('exports: what nobody imports', async () => {
  const files: Files = {
    'package.json': '{ "name": "small", "type": "module", "private": true }',
    'knip.json': '{ "entry": ["main.ts"], "project": ["*.ts"] }',
    'main.ts': "import { used } from './parts.ts'\nused()\n",
    'parts.ts': 'export const used = () => {}\nexport const idle = 1\nexport interface Shape {\n  a: number\n}\n',
  }
  const unused = await onDisk(files, (root) => found('exports', {}, { root, knipConfig: join(root, 'knip.json') }))
  expect(unused).toEqual({ 'unused exports': [2, 'parts.ts:2', 'parts.ts:3'] })
})

test('size: long files and the median', async () => {
  const files = {
    'engine/src/a.ts': lines(401),
    'engine/src/b.ts': lines(80),
    'engine/src/c.ts': '// Made by build-kernels.\n'.concat(lines(900)),
    'web/src/features/help/glossary.ts': lines(700),
    'engine/src/d.ts': lines(10),
    'engine/src/a.test.ts': lines(501),
    'server/test/flows/b.test.ts': lines(500),
  }
  expect(await found('size', files)).toEqual({
    'source files of more than 400 lines': [1, 'engine/src/a.ts'],
    'median lines of a source file': [401],
    'test files of more than 500 lines': [1, 'engine/src/a.test.ts'],
  })
})

test('a number above its limit or without one fails, a limit above its number can be lowered as far as its goal', async () => {
  const at = (value: number) => () => [{ name: 'things', value, offenders: [{ file: 'a.ts', line: 3, text: 'is one' }] }]
  const limits = {
    'high: things': { limit: 4, goal: 0 },
    'low: things': { limit: 7, goal: 5 },
    'held: things': { limit: 4, goal: 9 },
    'new: gone': { limit: 1, goal: 0 },
  }
  const said: string[] = []
  const judged = await judge(treeOf(new Map()), { high: at(5), low: at(3), held: at(4), new: at(1) }, limits, {
    print: (line: string) => said.push(line),
  })
  expect(judged).toEqual({ failed: ['high: things', 'new: things', 'new: gone'], falling: { 'low: things': 5 } })
  expect(said).toEqual([
    'high: things: 5 / 4  ← above its limit',
    '  a.ts:3 is one',
    'low: things: 3 / 7',
    'held: things: 4 / 4',
    'new: things: 1 / no limit  ← above its limit',
    '  a.ts:3 is one',
    'new: gone: a limit without its number',
  ])
})

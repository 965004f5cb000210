// Short documents, each thing said once: words of a document, rows of the glossary, pages of decisions by number and title, READMEs of folders.
import { lineAt, linesIn, nameOf } from './paths.mjs'

const measured = ['README.md', 'README.zh-CN.md', 'ARCHITECTURE.md']
const readmeLines = { least: 5, most: 25 }
const wanted = ['.env.example', ...['configuration', 'data', 'operations', 'reliability', 'trading'].map((name) => `docs/${name}.md`)]
/** Folders where requests pass that ARCHITECTURE does not trace, and where the engine keeps module state. */
const toldAtTheirFolder = [
  'engine/src/README.md',
  ...['feeds', 'file', 'market', 'message', 'qmt', 'quant', 'strategy', 'usage', 'user'].map((folder) => `server/src/${folder}/README.md`),
  'web/src/features/screen/README.md',
]

export function docs(tree) {
  const textOf = (path) => (tree.has(path) ? tree.textOf(path) : '')
  const missing = [...wanted, ...toldAtTheirFolder].filter((path) => !tree.has(path))
  const glossary = glossaryOf(textOf('GLOSSARY.md'))
  const { outOfOrder, unlisted, otherTitles } = decisionIndex(tree, textOf('decisions/README.md'))
  const titles = tree.paths.filter((path) => /^decisions\/\d{4}-/.test(path)).flatMap((path) => titleFaults(path, tree.textOf(path)))
  const wrongReadmes = tree.paths
    .filter((path) => /^[^/]+\/src\/.*\/?README\.md$/.test(path))
    .map((file) => ({ file, lines: linesIn(tree.textOf(file)) }))
    .filter(({ lines }) => lines < readmeLines.least || lines > readmeLines.most)
  const paths = [...new Set([...textOf('ARCHITECTURE.md').matchAll(/`([\w.*<>-]+\/[\w./*<>-]*)`/g)].map(([, path]) => path))]
  const count = (name, offenders) => ({ name, value: offenders.length, offenders })
  return [
    ...measured.map((file) => ({ name: `words of ${file}`, value: wordsIn(textOf(file)), offenders: [] })),
    { name: 'paths in ARCHITECTURE.md', value: paths.length, offenders: [] },
    { name: 'rows of GLOSSARY.md', value: glossary.rows, offenders: [] },
    count('words that GLOSSARY.md defines twice', glossary.twice),
    count(
      'documents that are missing',
      missing.map((file) => ({ file, text: 'is missing' })),
    ),
    count(
      `READMEs of folders outside ${readmeLines.least} to ${readmeLines.most} lines`,
      wrongReadmes.map(({ file, lines }) => ({ file, text: `${lines} lines` })),
    ),
    count('rows of decisions/README.md out of order', outOfOrder),
    count('rows of decisions/README.md that do not say the title', otherTitles),
    count('decisions without a row in their index', unlisted),
    count('decisions whose file is not named by a noun title', titles),
  ]
}

/** As `wc -w` counts; in Chinese text two characters are a word. */
function wordsIn(text) {
  const chinese = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const rest = text.replace(/[\p{Script=Han}，。；：、？！（）“”‘’《》—…]/gu, ' ')
  return (chinese === 0 ? text : rest).split(/\s+/).filter((word) => word !== '').length + Math.round(chinese / 2)
}

/** Each word of the first column, English, and of the second, Chinese, may stand once. */
function glossaryOf(text) {
  const rows = [...text.matchAll(/^\| \*\*(.+?)\*\*[^|]*\| ([^|]*) \|/gm)]
  const seen = new Map()
  const twice = []
  for (const { 1: english, 2: chinese, index } of rows) {
    const words = [...english.split(/,\s*|\s*\/\s*/), ...chinese.split(/[、，,]\s*|\s*\/\s*/)].map((word) => word.trim().toLowerCase())
    for (const word of new Set(words.filter((each) => each !== '' && each !== '–'))) {
      const line = lineAt(text, index)
      if (seen.has(word)) twice.push({ file: 'GLOSSARY.md', line, text: `${word}, also in line ${seen.get(word)}` })
      else seen.set(word, line)
    }
  }
  return { rows: rows.length, twice }
}

function decisionIndex(tree, index) {
  const file = 'decisions/README.md'
  const rows = [...index.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.*) \|$/gm)].map(({ 1: number, 2: page, 3: text, index: at }) => ({
    number,
    page,
    text,
    line: lineAt(index, at),
  }))
  const outOfOrder = rows.flatMap(({ number, line }, i) =>
    i > 0 && number <= rows[i - 1].number ? [{ file, line, text: `${number} after ${rows[i - 1].number}` }] : [],
  )
  const otherTitles = rows
    .filter(({ page, text }) => tree.has(`decisions/${page}`) && titleOf(tree.textOf(`decisions/${page}`)) !== text)
    .map(({ line, text }) => ({ file, line, text }))
  const listed = new Set(rows.map(({ page }) => page))
  const unlisted = tree.paths
    .filter((path) => /^decisions\/\d{4}-/.test(path) && !listed.has(nameOf(path)))
    .map((path) => ({ file: path, text: 'is not listed' }))
  return { outOfOrder, unlisted, otherTitles }
}

const titleOf = (text) => /^# (.+)$/m.exec(text)?.[1] ?? ''

/** A title is a noun without a number, and the file bears its name: `0052-chart-export.md` is "Chart export". */
function titleFaults(path, text) {
  const title = titleOf(text)
  const slug = title
    .toLowerCase()
    .replaceAll(/['’]/g, '')
    .replaceAll(/[^\p{L}\d]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
  const riddle = /^(what|who|whose|whoever|where|when|how|why)\b/i.test(title)
  if (slug === nameOf(path).slice(5, -3) && !riddle) return []
  return [{ file: path, line: 1, text: `"${title}"` }]
}

import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const cwd = fileURLToPath(root)
const read = (document: string) => readFileSync(new URL(document, root), 'utf8')

const pages = globSync('decisions/[0-9]*.md', { cwd }).sort()
const folderDocuments = globSync('{contract,engine,server,web,e2e,bench}/{src,test}/**/README.md', { cwd }).sort()
const documents = [
  ...['ARCHITECTURE.md', 'README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'decisions/README.md'],
  ...globSync('docs/*.md', { cwd }).sort(),
  ...folderDocuments,
]

const folderOf = (document: string) => document.slice(0, document.lastIndexOf('/') + 1)

/** The targets of links to files of ours, from the root. */
const linksOf = (document: string): string[] =>
  [...read(document).matchAll(/\]\((?!https?:|mailto:)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target]) => folderOf(document) + target)

/** Paths in backquotes, those that look like files or folders of ours, and the targets of links. */
function pathsOf(document: string): string[] {
  const quoted = [
    ...read(document).matchAll(
      /`((?:contract|engine|server|web|e2e|bench|canaries|scripts|decisions|docs|qmt-client|qmt-bridge)(?:\/[\w.-]*)*)`/g,
    ),
  ]
  return [...new Set([...quoted.map(([, path = '']) => path), ...linksOf(document)])]
}

/** Folders that commands write and git ignores: a clone does not have them yet. */
const written = read('.gitignore')
  .split('\n')
  .filter((line) => /^\/.+\/$/.test(line))
  .map((line) => line.slice(1))
const isMissing = (path: string) => !existsSync(new URL(path, root)) && !written.some((folder) => path.startsWith(folder))

describe('documents', () => {
  it.each(documents)('%s names only what exists', (document) => {
    const paths = pathsOf(document)
    expect(paths.filter(isMissing)).toEqual([])
  })

  // A page keeps the paths of its day; only its links are kept true.
  it.each(folderDocuments)('%s names files and folders beside it that exist', (document) => {
    const named = [...read(document).matchAll(/`((?:\.\.\/)*[\w-]+(?:\/[\w.-]+)*(?:\.(?:tsx?|js|css)|\/))`/g)].map(([, path = '']) => path)
    expect(named.length).toBeGreaterThan(0)
    expect(named.filter((path) => isMissing(path) && isMissing(folderOf(document) + path))).toEqual([])
    const lines = read(document).trimEnd().split('\n').length
    expect(lines >= 5 && lines <= 25, `${lines} lines`).toBe(true)
  })

  it.each(['engine/src', 'server/src', 'web/src'])('ARCHITECTURE has a line for each folder of %s', (folder) => {
    const [, tree = ''] = new RegExp(`^\`\`\`text ${folder}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(read('ARCHITECTURE.md')) ?? []
    const listed = [...tree.matchAll(/^([\w-]+)\/ +\S/gm)].map(([, name]) => name)
    const folders = readdirSync(new URL(folder, root), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(listed.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
  })

  it('a link into a document leads to a heading there', () => {
    const anchorsOf = (document: string) =>
      [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s-]/gu, '')
          .replace(/\s/g, '-'),
      )
    const lost = documents.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)]
        .filter(([, target = '', anchor = '']) => !anchorsOf(target ? folderOf(document) + target : document).includes(anchor))
        .map(([link]) => `${document}: ${link}`),
    )
    expect(lost).toEqual([])
  })

  it('both READMEs have the same sections, pictures and links', () => {
    const outlineOf = (document: string) => {
      const text = read(document)
      return {
        sections: text.match(/^## /gm)?.length,
        fences: text.match(/^```/gm)?.length,
        rows: text.match(/^\| `[A-Z_]+`/gm),
        // Each names the other.
        links: new Set(linksOf(document).filter((path) => !path.startsWith('README'))),
      }
    }
    expect(outlineOf('README.zh-CN.md')).toEqual(outlineOf('README.md'))
  })

  it('CONTRIBUTING has a recipe each for a factor, an operator, a source, a value, a call and a block of the report, with its tests', () => {
    const [, recipes = ''] = /^## Recipes\n([\s\S]*?)^## /m.exec(read('CONTRIBUTING.md')) ?? []
    const titles = [...recipes.matchAll(/^### (.+)$/gm)].map(([, title]) => title)
    expect(titles).toEqual([
      'A factor',
      'A condition operator',
      'A market data source (feed)',
      'A value of an enum, a market',
      'A call with its page',
      'A block of the report',
    ])
    const tests = recipes
      .split(/^### /m)
      .slice(1)
      .map((recipe) => /^Test: .*`[\w/.-]+\.(?:test|conformance)\.ts`/m.test(recipe))
    expect(tests).toEqual(titles.map(() => true))
  })

  it('decisions link to what exists', () => {
    expect(
      pages.flatMap((page) =>
        linksOf(page)
          .filter(isMissing)
          .map((path) => `${page}: ${path}`),
      ),
    ).toEqual([])
  })
})

describe('decisions', () => {
  const titleOf = (page: string) => /^# (.+)\n/.exec(read(page))?.[1] ?? ''
  const slug = (title: string) =>
    title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')

  it('a page is named by its number and its title, and each number is given once', () => {
    expect(pages.map((page) => page.slice('decisions/0000-'.length))).toEqual(pages.map((page) => `${slug(titleOf(page))}.md`))
    expect(pages.filter((page) => /^\d{4}/.test(titleOf(page)))).toEqual([])
    const numbers = pages.map((page) => page.slice('decisions/'.length, 'decisions/0000'.length))
    expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([])
  })

  it('the index lists every page by its title, in the order of numbers', () => {
    const lines = read('decisions/README.md').match(/^\| \[.*$/gm)
    const wanted = pages.map((page) => {
      const file = page.slice('decisions/'.length)
      return `| [${file.slice(0, 4)}](${file}) | ${titleOf(page)} |`
    })
    expect(lines).toEqual(wanted)
  })
})

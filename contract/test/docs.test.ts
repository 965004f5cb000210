import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const documents = ['ARCHITECTURE.md', 'README.md', 'README.zh-CN.md', 'CONTRIBUTING.md', 'decisions/README.md']

/** Paths in backquotes and the targets of links, those that look like files or folders of ours. */
function pathsOf(document: string): string[] {
  const text = readFileSync(new URL(document, root), 'utf8')
  const quoted = [...text.matchAll(/`((?:contract|engine|server|web|e2e|bench|canaries|scripts|decisions)(?:\/[\w.-]*)*)`/g)].map(
    (match) => match[1] ?? '',
  )
  const folder = document.includes('/') ? document.slice(0, document.lastIndexOf('/') + 1) : ''
  const linked = [...text.matchAll(/\]\((?!http)([^)#]+)\)/g)].map((match) => folder + match[1])
  return [...new Set([...quoted, ...linked])]
}

describe('documents', () => {
  it.each(documents)('%s names only what exists', (document) => {
    const paths = pathsOf(document)
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })
})

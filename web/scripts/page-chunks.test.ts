import { expect, test } from 'vitest'
import { chunkCycle } from './chunk-cycles.ts'
import { neededBy } from './page-chunks.ts'

const graph: Readonly<Record<string, readonly string[]>> = {
  main: ['core'],
  core: ['package'],
  layout: ['button', 'menu'],
  menu: ['button'],
  button: ['core'],
  first: ['card', 'table'],
  second: ['card', 'chart'],
  card: ['button', 'drafts'],
  drafts: ['storage'],
  storage: ['core'],
  table: [],
  chart: [],
  dialog: ['form', 'card'],
  form: [],
  package: [],
}
/** What is loaded by itself: the pages, their frame, a dialog, and one that a part imports as well. */
const lazy = ['layout', 'first', 'second', 'dialog', 'drafts']
const facts = (id: string) => ({
  isEntry: id === 'main',
  importedIds: graph[id] ?? [],
  dynamicImporters: lazy.includes(id) ? ['load'] : [],
})
const loads = new Map([
  ['login', ['main']],
  ['first', ['main', 'layout', 'first']],
  ['second', ['main', 'layout', 'second']],
])
const needs = neededBy(loads, facts, (id) => id !== 'package')

test('modules that the same pages need are named alike, others apart, and what is loaded by itself has no name', () => {
  const together = [...new Set(needs.values())].map((name) => [...needs.keys()].filter((id) => needs.get(id) === name).toSorted())
  expect(together).toEqual([['core'], ['package'], ['button', 'card', 'menu'], ['table'], ['storage'], ['chart']])
})

test('what no page needs before it runs is left to the bundler', () => {
  for (const id of ['dialog', 'form']) expect(needs.has(id)).toBe(false)
})

test('chunks import one another in one direction', () => {
  const chunkOf = (id: string) => needs.get(id) ?? id
  const imports: Record<string, string[]> = {}
  for (const [id, each] of Object.entries(graph)) {
    const others = each.map(chunkOf).filter((chunk) => chunk !== chunkOf(id))
    imports[chunkOf(id)] = [...(imports[chunkOf(id)] ?? []), ...others]
  }
  expect(chunkCycle(imports)).toBeNull()
})

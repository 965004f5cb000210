import { expect, test } from 'vitest'
import { neededBy } from './page-chunks.ts'

const graph: Readonly<Record<string, readonly string[]>> = {
  main: ['core'],
  core: [],
  layout: ['button', 'menu'],
  menu: ['button'],
  button: ['core'],
  first: ['card', 'table'],
  second: ['card', 'chart'],
  card: ['button'],
  table: [],
  chart: [],
  dialog: ['form', 'card'],
  form: [],
}
const facts = (id: string) => ({ isEntry: false, importedIds: graph[id] ?? [], dynamicImporters: [] })
const loads = new Map([
  ['login', ['main']],
  ['first', ['main', 'layout', 'first']],
  ['second', ['main', 'layout', 'second']],
])

test('modules that the same pages need are named alike, others apart', () => {
  const needs = neededBy(loads, facts)
  const together = [...new Set(needs.values())].map((name) => [...needs.keys()].filter((id) => needs.get(id) === name).toSorted())
  expect(together).toEqual([
    ['core', 'main'],
    ['button', 'card', 'layout', 'menu'],
    ['first', 'table'],
    ['chart', 'second'],
  ])
})

test('what no page needs before it runs is left to the bundler', () => {
  const needs = neededBy(loads, facts)
  for (const id of ['dialog', 'form']) expect(needs.has(id)).toBe(false)
})

test('chunks import one another in one direction: what is imported is needed by all that need the importer, and more', () => {
  const needs = neededBy(loads, facts)
  const after = (from: string | undefined, seen = new Set<string>()): Set<string> => {
    for (const [id, name] of needs) {
      if (name !== from) continue
      for (const each of graph[id] ?? []) {
        const next = needs.get(each)!
        if (next !== from && !seen.has(next)) after(next, seen.add(next))
      }
    }
    return seen
  }
  for (const name of new Set(needs.values())) expect(after(name)).not.toContain(name)
})

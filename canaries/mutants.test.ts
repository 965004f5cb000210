import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const read = (path: string) => readFileSync(new URL(`../server/${path}`, import.meta.url), 'utf8')

test('each mutant of the server selects tests that its file has', () => {
  const mutants = [...read('test/drills/mutants.ts').matchAll(/test: '(.+)',\n +only: '(.+)',/g)]
  expect(mutants.length).toBeGreaterThan(9)
  const titlesOf = (file: string) =>
    [...read(file).matchAll(/(?:test|describe)(?:\.\w+(?:\([^\n]*?\))?)?\(\s*'(.+?)',/g)].map(([, title]) => title)
  const lost = mutants.filter(([, file = '', only = '']) => !titlesOf(file).some((title) => title?.includes(only)))
  expect(lost.map(([, file, only]) => `${file}: ${only}`)).toEqual([])
})

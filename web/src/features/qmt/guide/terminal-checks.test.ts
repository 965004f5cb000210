import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { terminalChecks } from './terminal-checks.ts'

const manual = readFileSync(new URL('../../../../../qmt-client/使用说明.txt', import.meta.url), 'utf8')

test('the page and the manual of the client list the same checks of a terminal', () => {
  const lines = manual.split('\n').filter((line) => line.startsWith('[ ] '))
  expect(lines).toEqual(terminalChecks.map(({ text }) => `[ ] ${text}`))
})

test('a tick is kept by a key of its own', () => {
  expect(new Set(terminalChecks.map(({ key }) => key)).size).toBe(terminalChecks.length)
})

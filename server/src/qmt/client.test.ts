import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { hasPython, python } from '../../test/fixtures/python.ts'

const tests = fileURLToPath(new URL('../../../qmt-client/test', import.meta.url))

test('the client passes its own tests: stories, both brokers, some random days with faults and kill -9', async ({ skip }) => {
  if (!hasPython) skip('python3 is not here: the client was not tested')
  const { status, said } = await python(['-m', 'unittest', 'discover', '-s', tests])
  expect({ status, said }).toEqual({ status: 0, said: expect.stringMatching(/Ran \d{2,3} tests[\s\S]*OK/) })
})

import { expect, test, vi } from 'vitest'
import { CoreAnswers } from './core-answers.ts'
import type { Outcome, Work } from './protocol.ts'
import { rejection } from './rejection.ts'

const work = (core: string, packing: 'members' | 'whole' = 'members'): Work => ({
  call: 'storedParts',
  input: { report: { core }, parts: ['core'] },
  packing,
})
const made = (text: string) => vi.fn(async (): Promise<Outcome<Uint8Array>> => ({ ok: true, value: Buffer.from(text) }))

test('the answer of a core is made once, of 64 cores at most', async () => {
  const answers = new CoreAnswers()
  const make = made('one')
  const first = await answers.of(work('a'), make)
  expect(await answers.of(work('a'), made('other'))).toEqual(first)
  expect(make).toHaveBeenCalledOnce()
  expect(await answers.of(work('a', 'whole'), made('whole'))).not.toEqual(first)
  for (let k = 0; k < 62; k++) await answers.of(work(`core ${k}`), made(`${k}`))
  expect(await answers.of(work('a'), made('other'))).toEqual(first)
  for (let k = 0; k < 64; k++) await answers.of(work(`more ${k}`), made(`${k}`))
  const again = made('again')
  await answers.of(work('a'), again)
  expect(again).toHaveBeenCalledOnce()
})

test('refusals, and answers that need data, are not kept', async () => {
  const answers = new CoreAnswers()
  const refused = vi.fn(async (): Promise<Outcome<Uint8Array>> => rejection(50301))
  await answers.of(work('a'), refused)
  await answers.of(work('a'), refused)
  expect(refused).toHaveBeenCalledTimes(2)
  const screen = { call: 'screen', input: { parameters: {} } } as unknown as Work
  const make = made('screen')
  await answers.of(screen, make)
  await answers.of(screen, make)
  expect(make).toHaveBeenCalledTimes(2)
})

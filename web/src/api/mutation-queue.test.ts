import { expect, it } from 'vitest'
import { enqueueMutation, isChanging } from './mutation-queue.ts'

it('changes of one thing go one after the other, also after one that failed; those of another do not wait', async () => {
  const told: string[] = []
  let refuse = (_: Error): void => {}
  let accept = (): void => {}
  const one = enqueueMutation('a', () => new Promise<void>((_, reject) => (refuse = reject)))
  const two = enqueueMutation('a', () => {
    told.push('a')
    return new Promise<void>((resolve) => (accept = resolve))
  })
  await enqueueMutation('b', async () => void told.push('b'))
  expect(told).toEqual(['b'])
  expect([isChanging('a'), isChanging('b')]).toEqual([true, false])
  refuse(new Error('refused'))
  await expect(one).rejects.toThrow('refused')
  expect(told).toEqual(['b', 'a'])
  // What the second shows is not taken back by the first.
  expect(isChanging('a')).toBe(true)
  accept()
  await two
  expect(isChanging('a')).toBe(false)
})

import { describe, expect, it } from 'vitest'
import { api } from './api.ts'
import { calls } from './calls.ts'
import type { Endpoint } from './endpoint.ts'

const plain = (group: Record<string, Endpoint>) =>
  Object.fromEntries(
    Object.entries(group).map(([name, { method, path, auth, timeout, stream }]) => [name, { method, path, auth, timeout, stream }]),
  )

describe('the calls of a client', () => {
  it('say of every endpoint what the endpoint says', () => {
    const expected = Object.fromEntries(
      Object.entries(api).map(([name, group]) => [name, plain(group as unknown as Record<string, Endpoint>)]),
    )
    expect(calls).toEqual(expected)
  })
})

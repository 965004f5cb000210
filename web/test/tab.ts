import { vi } from 'vitest'
import { memoryStorage } from './storage.ts'

/** What a browser has once, however many tabs it shows. */
export function browserOf(apiHost: string) {
  const storage = memoryStorage()
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', memoryStorage())
  vi.stubEnv('VITE_API_HOST', apiHost)
  return storage
}

/** Our modules loaded anew, as a tab loads them: nothing is shared with another one but storage, locks and channels. */
export async function openTab() {
  vi.resetModules()
  const [auth, client, stream, failures, queries, lists, dictionary, cache] = await Promise.all([
    import('../src/state/auth.ts'),
    import('../src/api/client.ts'),
    import('../src/api/stream.ts'),
    import('../src/api/failed-calls.ts'),
    import('../src/api/queries.ts'),
    import('../src/api/lists.ts'),
    import('../src/api/dictionary.ts'),
    import('../src/api/query-cache.ts'),
  ])
  auth.restoreAuth()
  return { ...auth, ...client, ...stream, ...failures, ...queries, ...lists, ...dictionary, ...cache }
}
export type Tab = Awaited<ReturnType<typeof openTab>>

export const tokens = (name: string) => ({
  access_token: `${name}-access`,
  refresh_token: `${name}-refresh`,
  expires_in: 1_800,
  login_ends_in: 1_209_600,
  token_type: 'bearer' as const,
})

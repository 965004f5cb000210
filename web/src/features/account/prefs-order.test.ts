// isolated: stubs globals
import { expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'

const answers: (() => void)[] = []
const asked: string[] = []
vi.stubGlobal('localStorage', memoryStorage())
vi.stubGlobal('sessionStorage', memoryStorage())
vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
  const { prefs } = JSON.parse(body) as { prefs: { theme: string; density: string } }
  asked.push(`${prefs.theme} ${prefs.density}`)
  return new Promise((resolve) => answers.push(() => resolve(Response.json({ code: 0, msg: '', data: { user_id: 'one', prefs } }))))
})
const { useAuth } = await import('../../state/auth.ts')
const { choose } = await import('./prefs.ts')

it('what is chosen in quick succession reaches the account in its order', async () => {
  type State = ReturnType<typeof useAuth.getState>
  useAuth.setState({
    tokenData: { access_token: 'a', refresh_token: 'r', expires_in: 900 } as State['tokenData'],
    userData: { user_id: 'one' } as State['userData'],
  })
  choose('theme', 'dark')
  choose('density', 'standard')
  await vi.waitFor(() => expect(asked).toHaveLength(1), { timeout: 15_000 })
  // The second is not on its way while the first is: it could overtake it.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(asked).toHaveLength(1)
  answers[0]?.()
  await vi.waitFor(() => expect(asked).toHaveLength(2), { timeout: 15_000 })
  expect(asked[1]).toBe('dark standard')
  answers[1]?.()
  await vi.waitFor(() => expect(useAuth.getState().userData?.prefs?.density).toBe('standard'), { timeout: 15_000 })
})

import type { TokenData } from '@convexa/contract/authorize'
import type { User } from '@convexa/contract/user'
import { create } from 'zustand'
import { atLeast, finite, optional, orNull, type Shape, text } from './shapes.ts'
import { local, session } from './storage.ts'

const tokenKey = 'tokenData'
const userKey = 'userData'

/** As they came, with the moment at which the login ends by this browser's clock. */
export type Tokens = Omit<TokenData, 'user'> & { ends_at?: number }

export interface Auth {
  tokenData: Tokens | null
  userData: User | null
  /** The login is over: the warning 请先登录 is on the screen until its close clears all. */
  refused: boolean
  /** `remember` false: the login ends with the tab. */
  setToken(data: TokenData, remember: boolean): void
  /** New tokens of the same login, kept where the old ones are. */
  renew(data: TokenData): void
  /** Takes tokens that another tab has kept, renewed or of another person, who is known from then on. */
  adopt(tokens: Tokens): void
  setUser(user: User): void
  refuse(): void
  clear(): void
}

/** A tab's own login goes before the browser's. */
const stored = <T>(key: string, shape: Shape<T>): T | null => session.read(key, shape) ?? local.read(key, shape)
const tokens = atLeast<Tokens>({ access_token: text, refresh_token: text, ends_at: optional(finite) })
const user = atLeast<User>({
  ...{ user_id: text, nickname: text, avatar_url: orNull(text), mobile_masked: orNull(text), email_masked: orNull(text) },
  vip: atLeast({ plan_name: orNull(text), expire_at: orNull(text), level: finite }),
})
const shelfOf = () => (session.read(tokenKey, tokens) ? session : local)

/** The login outlives the tab. */
export const isRemembered = (): boolean => shelfOf() === local

/** The newest tokens in storage: another tab may have renewed them a moment ago. */
export const storedTokens = (): Tokens | null => stored(tokenKey, tokens)
const storedUser = (): User | null => stored(userKey, user)

const kept = ({ user: _user, ...tokens }: TokenData): Tokens => ({ ...tokens, ends_at: Date.now() + tokens.login_ends_in * 1000 })

function forget(): void {
  for (const key of [tokenKey, userKey]) {
    local.remove(key)
    session.remove(key)
  }
}

export const useAuth = create<Auth>((set, get) => ({
  tokenData: null,
  userData: null,
  refused: false,
  setToken(data, remember) {
    const { user } = data
    const tokenData = kept(data)
    // One login per browser: what is left of another must not come back at a reload.
    forget()
    const shelf = remember ? local : session
    shelf.write(tokenKey, tokenData)
    set({ tokenData, userData: null, refused: false })
    if (user) get().setUser(user)
  },
  renew(data) {
    const tokenData = kept(data)
    const old = get().tokenData?.access_token
    shelfOf().write(tokenKey, tokenData)
    set({ tokenData })
    if (old) tabs?.postMessage({ old, tokens: tokenData } satisfies News)
  },
  adopt: (tokenData) => set({ tokenData, userData: storedUser() ?? get().userData, refused: false }),
  setUser(userData) {
    // An answer may come after the login has ended: nothing of it is kept then.
    if (!get().tokenData) return
    shelfOf().write(userKey, userData)
    set({ userData })
  },
  refuse: () => set({ refused: true }),
  clear() {
    const old = get().tokenData?.access_token
    forget()
    set({ tokenData: null, userData: null, refused: false })
    if (old) tabs?.postMessage({ old, tokens: null } satisfies News)
  },
}))

/** Reads the login from storage: the first of the three initial loads. */
export function restoreAuth(): void {
  useAuth.setState({ tokenData: storedTokens(), userData: storedUser() })
}

export const isAuthenticated = (): boolean => useAuth.getState().tokenData !== null

/** Calls `then` when a login that was there is gone: closed here, refused, or ended in another tab. */
export const onLoginEnd = (then: () => void): (() => void) =>
  useAuth.subscribe((now, before) => {
    if (before.tokenData && !now.tokenData) then()
  })

/** Calls `then` when another person is logged in than before, as another tab may do. */
export const onOtherUser = (then: () => void): (() => void) =>
  useAuth.subscribe((now, before) => {
    if (before.userData && now.userData && before.userData.user_id !== now.userData.user_id) then()
  })

/** What a tab tells the others of the login that they share; storage of the tab alone says nothing to a copy of the tab. */
interface News {
  old: string
  /** What it was renewed to; null = logged out. */
  tokens: Tokens | null
}
let tabs: BroadcastChannel | null = null

/** Another tab logged in, out or renewed: this one follows, so that all use the same pair of tokens and end together. */
export function followOtherTabs(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === userKey) useAuth.setState({ userData: storedUser() })
    if (key === tokenKey || key === null) useAuth.setState({ tokenData: storedTokens(), userData: storedUser(), refused: false })
  }
  const onNews = ({ data: { old, tokens } }: MessageEvent<News>) => {
    if (useAuth.getState().tokenData?.access_token !== old) return
    if (tokens) {
      shelfOf().write(tokenKey, tokens)
      useAuth.getState().adopt(tokens)
      return
    }
    forget()
    useAuth.setState({ tokenData: null, userData: null, refused: false })
  }
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel('login') : null
  tabs = channel
  channel?.addEventListener('message', onNews)
  window.addEventListener('storage', onStorage)
  return () => {
    window.removeEventListener('storage', onStorage)
    channel?.close()
    tabs = null
  }
}

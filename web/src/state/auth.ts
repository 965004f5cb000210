import type { TokenData } from '@convexa/contract/authorize'
import type { User } from '@convexa/contract/user'
import { create } from 'zustand'
import { local, session } from './storage.ts'

const tokenKey = 'tokenData'
const userKey = 'userData'

export type Tokens = Omit<TokenData, 'user'>

interface Auth {
  tokenData: Tokens | null
  userData: User | null
  /** A call was refused: the warning 请先登录 is on the screen until its close clears all. */
  refused: boolean
  /** `remember` false: the login ends with the tab. */
  setToken(data: TokenData, remember: boolean): void
  renew(data: TokenData): void
  setUser(user: User): void
  refuse(): void
  clear(): void
}

const stored = <T>(key: string): T | null => local.read<T>(key) ?? session.read<T>(key)
const shelfOf = () => (session.read(tokenKey) ? session : local)

export const useAuth = create<Auth>((set, get) => ({
  tokenData: stored<Tokens>(tokenKey),
  userData: stored<User>(userKey),
  refused: false,
  setToken({ user, ...tokenData }, remember) {
    const shelf = remember ? local : session
    local.remove(tokenKey)
    session.remove(tokenKey)
    shelf.write(tokenKey, tokenData)
    set({ tokenData, refused: false })
    if (user) get().setUser(user)
  },
  renew({ user: _user, ...tokenData }) {
    shelfOf().write(tokenKey, tokenData)
    set({ tokenData })
  },
  setUser(userData) {
    shelfOf().write(userKey, userData)
    set({ userData })
  },
  refuse: () => set({ refused: true }),
  clear() {
    for (const key of [tokenKey, userKey]) {
      local.remove(key)
      session.remove(key)
    }
    set({ tokenData: null, userData: null, refused: false })
  },
}))

export const isAuthenticated = (): boolean => useAuth.getState().tokenData !== null

/** Another tab logged in, out or renewed: this one follows, so that both use the same pair of tokens. */
export function followOtherTabs(): void {
  window.addEventListener('storage', ({ key }) => {
    if (key === tokenKey || key === userKey || key === null)
      useAuth.setState({ tokenData: stored<Tokens>(tokenKey), userData: stored<User>(userKey) })
  })
}

/** The newest tokens in storage: another tab may have renewed them a moment ago. */
export const storedTokens = (): Tokens | null => stored<Tokens>(tokenKey)

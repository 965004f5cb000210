const home = '/'
/** Stands for our own origin; nothing is ever asked of it. */
const own = 'http://own.invalid'
const loginPath = '/login'

/** The login page's address that leads back to `path` afterwards. */
export const loginUrlFrom = (path: string): string => {
  const back = ownPath(path)
  return back === home ? loginPath : `${loginPath}?redirect=${encodeURIComponent(back)}`
}

/**
 * Where a `redirect` from an address may lead: a path of this site, as the browser will read it; anything else leads home.
 * `//elsewhere`, `/\elsewhere`, `/%09/elsewhere` and `https:` are elsewhere to a browser, the login page would lead nowhere.
 */
export function ownPath(redirect: string | null | undefined): string {
  if (!redirect?.startsWith('/') || !URL.canParse(redirect, own)) return home
  const { origin, pathname, search, hash } = new URL(redirect, own)
  if (origin !== own || pathname.startsWith('//') || pathname === loginPath || pathname.startsWith(`${loginPath}/`)) return home
  return pathname + search + hash
}

/** 128 random bits for the `state` of OAuth: a callback that carries them belongs to a login begun in this browser. */
export const newState = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

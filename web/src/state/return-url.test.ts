import { describe, expect, it } from 'vitest'
import { loginUrlFrom, ownPath } from './return-url.ts'

describe('after a login', () => {
  it.each([
    '/rotation/stock/screen?s=a%2Fb&x=1#top',
    '/personal/subscription?order=7',
    '/activate-email?code=1%202',
    '/strategy/compare?items=cb:12,cb:17',
    '/login-history-of-a-later-day',
  ])('%s is where the browser goes', (path) => expect(ownPath(path)).toBe(path))

  it.each([
    ['nothing', null],
    ['an empty word', ''],
    ['another site', 'https://evil.example/'],
    ['another site without its scheme', '//evil.example/qmt'],
    ['a backslash', '/\\evil.example/qmt'],
    ['two backslashes', '\\\\evil.example'],
    ['a tab between the slashes', '/\t/evil.example'],
    ['a line end between the slashes', '/\n/evil.example'],
    ['a path that becomes another site', '/.//evil.example'],
    ['a path that climbs to another site', '/a/..//evil.example'],
    ['script', 'javascript:alert(1)'],
    ['script behind a slash that is none', '/%0ajavascript:alert(1)/../..//evil.example'],
    ['a path of nowhere', 'rotation'],
    ['no address', 'http://[oops'],
    ['the login page', '/login?redirect=%2Fqmt'],
    ['the login page by another way', '/qmt/../login'],
    ['a page of the login', '/login/wechat-callback?code=1'],
  ])('%s leads home', (_, path) => expect(ownPath(path)).toBe('/'))

  it('the way there and back is the same, and home needs no telling', () => {
    const path = '/rotation/stock/screen?s=a%2Fb&x=1'
    expect(ownPath(new URL(loginUrlFrom(path), 'http://here').searchParams.get('redirect'))).toBe(path)
    expect(loginUrlFrom('/')).toBe('/login')
    expect(loginUrlFrom('/login?redirect=%2Fqmt')).toBe('/login')
  })
})

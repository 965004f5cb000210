// isolated: stubs globals
import { calls } from '@convexa/contract/calls'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { memoryStorage } from '../../../test/storage.ts'
import { showsScan } from '../../api/error-policy.ts'
import { beginScan, endScan, scanAddress } from './wechat-scan.ts'

const more = { redirect: '/rotation/stock/screen', remember: true }
const wechat = {
  app_id: 'wx1',
  authorize_url: 'https://open.weixin.qq.com/connect/qrconnect?appid=wx1&response_type=code&scope=snsapi_login',
}
const page = { cookie: '' }

beforeEach(() => {
  vi.stubGlobal('sessionStorage', memoryStorage())
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { origin: 'https://site.example' })
})

describe('a scan', () => {
  it('ends once, in the tab where it began, with what was kept', () => {
    const state = beginScan(more)
    expect(state).toMatch(/^[0-9a-f]{32}$/)
    expect(endScan(state)).toEqual({ ...more, state })
    expect(endScan(state)).toBe(null)
  })

  it.each([null, '', 'f'.repeat(32)])('with the state %j was begun by somebody else, and the own one goes on', (foreign) => {
    const state = beginScan(more)
    expect(endScan(foreign)).toBe(null)
    expect(endScan(state)).not.toBe(null)
  })

  it('that nobody began has no state at all', () => {
    expect(endScan(null)).toBe(null)
    expect(endScan('undefined')).toBe(null)
  })

  it('is over when another begins', () => {
    const old = beginScan(more)
    expect(beginScan(more)).not.toBe(old)
    expect(endScan(old)).toBe(null)
  })

  it('leaves its state in a cookie that only this host may set', () => {
    const state = beginScan(more)
    expect(page.cookie).toBe(`__Host-wxs=${state}; Path=/; Secure; SameSite=Lax; Max-Age=600`)
  })

  it('asks WeChat to come back here; in a frame the whole window does', () => {
    const address = (framed: boolean) => new URL(scanAddress(wechat, '/login/wechat-callback', 'abc', framed))
    const query = Object.fromEntries(address(false).searchParams)
    expect(query).toEqual({
      appid: 'wx1',
      response_type: 'code',
      scope: 'snsapi_login',
      redirect_uri: 'https://site.example/login/wechat-callback',
      state: 'abc',
    })
    expect(address(true).searchParams.get('self_redirect')).toBe('false')
    expect(address(true).hash).toBe('#wechat_redirect')
  })
})

it('its cookie goes with the two calls that use its code, and with no other', () => {
  const all = Object.values(calls).flatMap((group) => Object.values(group))
  expect(all.filter(showsScan)).toEqual([calls.authorize.byWechatWeb, calls.wechat.addCredential])
})

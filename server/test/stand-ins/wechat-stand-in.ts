import { randomBytes } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The application that takes payments: another one than that of the login, so a person has another openid there. */
export const payer = { appId: 'wxpaystandin00001', appSecret: 'stand-in-pay-secret', openid: 'oPayStandIn-AAAAAAAAAAAAAAAA' }

/** People who can scan: A and B are known across applications (unionid), C is not. */
export const people = {
  A: { openid: 'oStandIn-AAAAAAAAAAAAAAAAAAA', unionid: 'uStandIn-AAAAAAAAAAAAAAAAAAA', nickname: '甲同学' },
  B: { openid: 'oStandIn-BBBBBBBBBBBBBBBBBBB', unionid: 'uStandIn-BBBBBBBBBBBBBBBBBBB', nickname: '乙同学' },
  C: { openid: 'oStandIn-CCCCCCCCCCCCCCCCCCC', unionid: null, nickname: '丙<b>同学</b>\u202e' },
} as const
type Person = keyof typeof people
interface Identity {
  readonly openid: string
  readonly unionid: string | null
}

/** What the next call of the programs' side gets in place of its answer. */
export type Trouble = 'busy' | 'silence' | 'hang up' | 'page' | 'no json' | 'redirect'

export interface WechatStandIn {
  readonly url: string
  readonly appId: string
  readonly appSecret: string
  readonly troubles: Trouble[]
  /** As if this person had scanned and agreed: the code that the browser brings. */
  scan(person: Person): string
  /** Gives a person another openid or unionid, as another application or an open-platform account does. */
  becomes(person: Person, identity: Partial<Identity>): void
  /** Lets codes and tokens grow older. */
  later(seconds: number): void
  /** Calls of the programs' side so far. */
  calls(): number
  close(): Promise<void>
}

const codeSeconds = 5 * 60
const accessSeconds = 2 * 3600
const refreshSeconds = 30 * 24 * 3600

/**
 * WeChat's web login as a site meets it: the page with the code to scan, and the programs' side with its errors in HTTP 200.
 * Codes are good once and for 5 minutes, access tokens for two hours, refresh tokens for 30 days.
 */
export async function wechatStandIn({ port = 0, appId = 'wxstandin0000001', appSecret = 'stand-in-secret' } = {}): Promise<WechatStandIn> {
  let shift = 0
  let calls = 0
  const troubles: Trouble[] = []
  const codes = new Map<string, { person: Person; appId: string; until: number; used: boolean }>()
  const access = new Map<string, { person: Person; until: number }>()
  const refresh = new Map<string, { person: Person; until: number }>()
  const now = () => Date.now() / 1_000 + shift
  const codeFor = (person: Person, forApp: string): string => {
    const code = `0${randomBytes(16).toString('hex').slice(1)}`
    codes.set(code, { person, appId: forApp, until: now() + codeSeconds, used: false })
    return code
  }
  const changed = new Map<Person, Partial<Identity>>()
  const identityOf = (person: Person) => ({ ...people[person], ...changed.get(person) })
  const scan = (person: Person): string => codeFor(person, appId)
  const tokensFor = (person: Person, keptRefresh?: string) => {
    const access_token = `AT_${randomBytes(24).toString('base64url')}`
    const refresh_token = keptRefresh ?? `RT_${randomBytes(24).toString('base64url')}`
    access.set(access_token, { person, until: now() + accessSeconds })
    if (!keptRefresh) refresh.set(refresh_token, { person, until: now() + refreshSeconds })
    const { openid, unionid } = identityOf(person)
    return { access_token, expires_in: accessSeconds, refresh_token, openid, scope: 'snsapi_login', ...(unionid && { unionid }) }
  }

  /** The programs' side. Errors in the order in which the real one looks. */
  const programs: Record<string, (query: URLSearchParams) => object> = {
    '/sns/oauth2/access_token': (query) => {
      const refused = wrongApp(query, true)
      if (refused) return refused
      if (query.get('grant_type') !== 'authorization_code') return error(40002, 'invalid grant_type')
      const code = query.get('code')
      if (!code) return error(41008, 'missing code')
      const known = codes.get(code)
      if (!known || known.appId !== query.get('appid')) return error(40029, 'invalid code')
      if (known.used) return error(40163, 'code been used')
      if (known.until <= now()) return error(42003, 'code expired')
      known.used = true
      if (known.appId === payer.appId) return { ...tokensFor(known.person), openid: payer.openid, scope: 'snsapi_base' }
      return tokensFor(known.person)
    },
    '/sns/oauth2/refresh_token': (query) => {
      const refused = wrongApp(query, false)
      if (refused) return refused
      const token = query.get('refresh_token')
      if (!token) return error(41003, 'missing refresh_token')
      const known = refresh.get(token)
      if (!known) return error(40030, 'invalid refresh_token')
      if (known.until <= now()) return error(42002, 'refresh_token expired')
      return tokensFor(known.person, token)
    },
    '/sns/userinfo': (query) => {
      const refused = wrongToken(query)
      if ('errcode' in refused) return refused
      const { openid, unionid, nickname } = identityOf(refused.person)
      const place = { sex: 0, province: '', city: '', country: '', privilege: [] }
      return { openid, nickname, headimgurl: '', ...place, ...(unionid && { unionid }) }
    },
    '/sns/auth': (query) => {
      const refused = wrongToken(query)
      return 'errcode' in refused ? refused : { errcode: 0, errmsg: 'ok' }
    },
  }
  const wrongApp = (query: URLSearchParams, secret: boolean) => {
    if (!query.get('appid')) return error(41002, 'appid missing')
    const secrets = new Map([[appId, appSecret], ...(secret ? [[payer.appId, payer.appSecret] as const] : [])])
    const own = secrets.get(query.get('appid') ?? '')
    if (own === undefined) return error(40013, 'invalid appid')
    if (!secret) return null
    if (!query.get('secret')) return error(41004, 'appsecret missing')
    return query.get('secret') === own ? null : error(40125, 'invalid appsecret')
  }
  const wrongToken = (query: URLSearchParams) => {
    const known = access.get(query.get('access_token') ?? '')
    if (!known) return error(40001, 'invalid credential, access_token is invalid or not latest')
    if (known.until <= now()) return error(42001, 'access_token expired')
    return identityOf(known.person).openid === query.get('openid') ? known : error(40003, 'invalid openid')
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in')
    const program = programs[pathname]
    if (program) {
      calls++
      const trouble = troubles.shift()
      if (trouble) return makeTrouble(trouble, response)
      // The real one says text/plain, whatever it holds.
      response.writeHead(200, { 'content-type': 'text/plain' })
      return void response.end(JSON.stringify(program(searchParams)))
    }
    // Inside WeChat nobody is asked for their openid alone: the page is back at once.
    if (pathname === '/connect/oauth2/authorize') {
      const wrong = wrongRequest(searchParams, payer.appId, 'snsapi_base')
      if (wrong) return page(response, sentence(wrong))
      return leadBack(response, searchParams, codeFor('A', payer.appId))
    }
    if (pathname === '/connect/qrconnect') return page(response, scanPage(searchParams, appId))
    if (pathname === '/connect/confirm') {
      const wrong = wrongRequest(searchParams, appId)
      const person = searchParams.get('person') as Person
      if (wrong || !(person in people)) return page(response, sentence(wrong ?? '没有这位用户'))
      return leadBack(response, searchParams, scan(person))
    }
    page(response, sentence('页面不存在'), 404)
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    appId,
    appSecret,
    troubles,
    scan,
    becomes: (person, identity) => void changed.set(person, { ...changed.get(person), ...identity }),
    later: (seconds) => {
      shift += seconds
    },
    calls: () => calls,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const error = (errcode: number, errmsg: string) => ({ errcode, errmsg: `${errmsg}, rid: ${randomBytes(4).toString('hex')}` })

function makeTrouble(trouble: Trouble, response: ServerResponse): void {
  if (trouble === 'silence') return
  if (trouble === 'hang up') return void response.destroy()
  if (trouble === 'redirect') return void response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()
  if (trouble === 'page') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
  response.writeHead(200, { 'content-type': 'text/plain' })
  response.end(trouble === 'busy' ? JSON.stringify(error(-1, 'system error')) : '{"access_token":')
}

function leadBack(response: ServerResponse, query: URLSearchParams, code: string): void {
  const back = new URL(query.get('redirect_uri') ?? '')
  back.searchParams.set('code', code)
  back.searchParams.set('state', query.get('state') ?? '')
  response.writeHead(302, { location: back.href }).end()
}

function wrongRequest(query: URLSearchParams, appId: string, scope = 'snsapi_login'): string | null {
  if (query.get('appid') !== appId) return 'AppID 参数错误'
  if (query.get('response_type') !== 'code') return 'response_type 参数错误'
  if (query.get('scope') !== scope) return 'Scope 参数错误或没有 Scope 权限'
  const back = query.get('redirect_uri') ?? ''
  return URL.canParse(back) && /^https?:$/.test(new URL(back).protocol) ? null : 'redirect_uri 参数错误'
}

function page(response: ServerResponse, body: string, status = 200): void {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'"
  response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy, 'cache-control': 'no-store' })
  response.end(`<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>微信登录（本地替身）</title>
<style>body{font:14px/1.6 sans-serif;text-align:center;margin:24px;color:#333}svg{display:block;margin:12px auto;border:8px solid #fff;outline:1px solid #ddd}
button{font:inherit;margin:4px;padding:6px 14px;border:1px solid #07c160;border-radius:4px;background:#07c160;color:#fff}small{color:#666}</style>${body}</html>`)
}

const sentence = (text: string): string => `<h1>微信登录</h1><p role="alert">${escaped(text)}</p>`

/** In a frame the whole window goes back to the site, as the real page does unless it is asked for `self_redirect`. */
function scanPage(query: URLSearchParams, appId: string): string {
  const wrong = wrongRequest(query, appId)
  if (wrong) return sentence(wrong)
  const kept = ['appid', 'redirect_uri', 'response_type', 'scope', 'state']
    .map((name) => `<input type="hidden" name="${name}" value="${escaped(query.get(name) ?? '')}">`)
    .join('')
  const buttons = Object.keys(people)
    .map((key) => `<button name="person" value="${key}">以用户 ${key} 扫码</button>`)
    .join('')
  const target = query.get('self_redirect') === 'true' ? '_self' : '_top'
  return `<h1>微信登录</h1>${qrLike()}<p>请使用微信扫一扫登录</p>
<form action="/connect/confirm" target="${target}">${kept}${buttons}</form><small>本地替身：没有真正的微信，点按钮代替扫码和确认。二维码 5 分钟内有效。</small>`
}

/** Looks like a code to scan and leads nowhere. */
function qrLike(): string {
  const size = 25
  const bits = randomBytes(size * size)
  const corner = (x: number, y: number) => {
    const [dx, dy] = [Math.min(x, size - 1 - x), Math.min(y, size - 1 - y)]
    if (dx > 7 || dy > 7 || (x > 12 && y > 12)) return null
    const ring = Math.max(Math.abs(dx - 3), Math.abs(dy - 3))
    return ring !== 2 && ring <= 3
  }
  const cells = [...bits]
    .map((bit, i) => ({ x: i % size, y: Math.floor(i / size), on: bit > 127 }))
    .filter(({ x, y, on }) => corner(x, y) ?? on)
    .map(({ x, y }) => `<rect x="${x}" y="${y}" width="1" height="1"/>`)
  return `<svg role="img" aria-label="二维码（替身）" width="200" height="200" viewBox="0 0 ${size} ${size}">${cells.join('')}</svg>`
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

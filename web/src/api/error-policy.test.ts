// isolated: loads modules anew
import type { ServerResponse } from 'node:http'
import { type Call, calls } from '@convexa/contract/calls'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type ScriptedServer, says, scriptedServer } from '../../test/scripted-server.ts'
import { browserOf, openTab, type Tab, tokens } from '../../test/tab.ts'
import { messages } from './messages.ts'

// Section 8 of the specification, row by row: what is shown, and where. Stream rows are in stream.test.ts, what happens after the
// warning in login-rule.test.ts.

let server: ScriptedServer
let tab: Tab
let toasts: string[]

beforeAll(async () => {
  server = await scriptedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  browserOf(server.url).setItem('tokenData', JSON.stringify(tokens('any')))
  tab = await openTab()
  toasts = []
  vi.doMock('../ui/toast.tsx', () => ({ toast: { error: (text: string) => toasts.push(text) } }))
  const { toastFailures } = await import('../failure-toasts.ts')
  toastFailures()
})

type Answers = (answer: ServerResponse) => unknown
const sentence: Answers = (answer) => says(answer, 409, 21003, null, '名称已存在')
const noSentence: Answers = (answer) => answer.writeHead(502).end('<html>')
const codeOnly: Answers = (answer) => says(answer, 200, 40009, null, '数据已被修改，请刷新后重试')
const statusOnly: Answers = (answer) => says(answer, 500, 0, {}, '')
const none: Answers = (answer) => answer.destroy()
const tooLate: Answers = () => {}
const refusal =
  (status: number): Answers =>
  (answer) =>
    answer.writeHead(status).end()

/** An endpoint as the contract would list it. */
const at = (line: string, more: Partial<Call<never>> = {}): Call<never> => {
  const [method, path] = line.split(' ') as [Call['method'], string]
  return { method, path, auth: true, timeout: 5, stream: false, ...more }
}
const noLogin = { auth: false }
const profile = at('PUT /v1/user/info')
const quick = at('GET /v1/user/info', { timeout: 0.1 })
const screen = at('POST /v1/quant/stock/realtime-screen')
const group = at('POST /v1/quant/stock/strategy/group')
const groupUpdate = at('PUT /v1/quant/convertible-bond/strategy/group/{id}')
const bindCode = at('GET /v1/user/{target}/bind-wechat-code', noLogin)
const bind = at('POST /v1/user/{target}/bind-wechat', noLogin)
const credential = at('POST /v1/user/wechat-web-credential')
const qmt = (line: string) => at(line.replace(' ', ' /v1/quant/qmt'))

const network = '网络连接失败，请检查网络'
const rows: [situation: string, endpoint: Call<never>, answer: Answers, shown: string, toast?: 'toast'][] = [
  ['HTTP 401', profile, refusal(401), '请先登录'],
  ['HTTP 403', profile, refusal(403), '请先登录'],
  ['other response error: the body’s msg', profile, sentence, '名称已存在'],
  ['other response error: no msg', profile, noSentence, '请求出错'],
  ['other response error: HTTP 200, a code', profile, codeOnly, '数据已被修改，请刷新后重试'],
  ['other response error: code 0, not HTTP 200', profile, statusOnly, '请求出错'],
  ['no response: the connection is lost', profile, none, network],
  ['no response: none in time', quick, tooLate, network],
  ['failed quant call: the server’s msg', screen, sentence, '名称已存在'],
  ['failed quant call: no msg', screen, noSentence, network],
  ['strategy group create: the code alone', group, codeOnly, '数据已被修改，请刷新后重试'],
  ['strategy group update: the status alone', groupUpdate, statusOnly, network],
  ['bind code: the server’s msg', bindCode, sentence, '名称已存在'],
  ['bind code: no msg', bindCode, noSentence, '获取微信绑定验证码失败'],
  ['bind: no msg', bind, noSentence, '微信绑定失败'],
  ['web credential: no msg', credential, noSentence, '创建微信网页凭证失败'],
  ['QMT account create', qmt('POST /account'), sentence, '名称已存在', 'toast'],
  ['QMT trading-config create', qmt('POST /trading-config'), sentence, '名称已存在', 'toast'],
  ['QMT trading-config update', qmt('PUT /trading-config/{id}'), sentence, '名称已存在', 'toast'],
  ['QMT config create', qmt('POST /config'), sentence, '名称已存在', 'toast'],
  ['QMT config update', qmt('PUT /config/{id}'), noSentence, network, 'toast'],
  ['QMT config create, not logged in: the warning only', qmt('POST /config'), refusal(401), '请先登录'],
  ['other QMT calls: a list', qmt('GET /account/list'), sentence, '名称已存在'],
  ['other QMT calls: a deletion', qmt('DELETE /config/{id}'), sentence, '名称已存在'],
  ['other QMT calls: the key', qmt('PUT /apikey'), sentence, '名称已存在'],
  ['other QMT calls: options', qmt('GET /config/{type}/options'), none, network],
]

describe('the error catalogue', () => {
  it.each(rows)('%s', async (_, endpoint, answer, shown, toast) => {
    server.plays((_asked, response) => answer(response))
    const input = { params: { id: '1', target: '13800000000' }, body: endpoint.method === 'GET' ? undefined : {} }
    await expect(tab.call(endpoint, input as never)).rejects.toMatchObject({ name: 'CallError', message: shown })
    expect(toasts).toEqual(toast ? [shown] : [])
    expect(tab.useAuth.getState().refused).toBe(shown === '请先登录')
  })

  it('says what it may say in Chinese only', () => {
    for (const text of Object.values(messages)) expect(typeof text === 'string' ? text : text('')).toMatch(/^[\u4e00-\u9fff，:]+$/)
  })
})

describe('the export call', () => {
  const exported = qmt('GET /config/export/{id}')
  const file = { 'Content-Disposition': `attachment; filename="config.zip"; filename*=UTF-8''${encodeURIComponent('双低 运行配置.zip')}` }
  const ask = () => tab.download(exported, { params: { id: '9' }, query: { with_key: 0 } } as never)

  it('gives the whole response', async () => {
    server.plays((_, answer) => answer.writeHead(200, file).end('PK'))
    const response = await ask()
    expect(server.asked[0]?.url).toBe('/v1/quant/qmt/config/export/9?with_key=0')
    expect(tab.fileNameOf(response, 'x.zip')).toBe('双低 运行配置.zip')
    expect(await response.text()).toBe('PK')
  })

  it('fails on the HTTP status and nothing else', async () => {
    server.plays((_, answer) => says(answer, 200, 24006, null, '不看'))
    expect((await ask()).status).toBe(200)
    server.plays((_, answer) => says(answer, 409, 24006, null, '信号数据不是最新交易日，已停止导出'))
    await expect(ask()).rejects.toMatchObject({ message: '信号数据不是最新交易日，已停止导出', code: 24006 })
    server.plays((_, answer) => answer.writeHead(201).end('PK'))
    await expect(ask()).rejects.toMatchObject({ status: 201 })
  })

  it.each([
    [null, 'x.zip'],
    ['attachment', 'x.zip'],
    ['attachment; filename=a.csv', 'a.csv'],
    ['attachment; filename="../../etc/passwd"', '.._.._etc_passwd'],
    ["attachment; filename*=UTF-8''%E0%A4%A", 'x.zip'],
  ])('names its file from %s', (disposition, name) => {
    const response = new Response('', { headers: disposition ? { 'Content-Disposition': disposition } : {} })
    expect(tab.fileNameOf(response, 'x.zip')).toBe(name)
  })
})

describe('whoever listens', () => {
  it('hears of each failure once, knows maintenance by its status and code, and is heard no more when it stops', async () => {
    const heard: string[] = []
    const stop = tab.onFailure(({ error, path }) => heard.push(`${path} ${error.message} ${tab.isMaintenance(error)}`))
    server.plays((_, answer) => says(answer, 503, 50303, null, '系统维护中'))
    await tab.call(calls.user.info, undefined).catch(() => {})
    server.plays((_, answer) => says(answer, 503, 50301, null, '服务繁忙，请稍后重试'))
    await tab.call(calls.system.website, undefined).catch(() => {})
    stop()
    await tab.call(calls.user.info, undefined).catch(() => {})
    expect(heard).toEqual(['/v1/user/info 系统维护中 true', '/v1/website 服务繁忙，请稍后重试 false'])
  })

  it('does not hear of what its caller gave up', async () => {
    const heard: unknown[] = []
    tab.onFailure((failure) => heard.push(failure))
    server.plays(tooLate as never)
    const abort = new AbortController()
    const asked = tab.call(calls.user.info, undefined, { signal: abort.signal })
    abort.abort()
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
    expect(heard).toEqual([])
  })

  it('what a failure brings along reaches the caller: the tickets of 11021', async () => {
    server.plays((_, answer) => says(answer, 409, 11021, { wx_openid: 't1' }, '该微信尚未绑定账号'))
    const wechat = at('POST /v1/authorize/access-token/by-wechat-web', noLogin)
    await expect(tab.call(wechat, { body: { code: 'c' } } as never)).rejects.toMatchObject({ code: 11021, data: { wx_openid: 't1' } })
    expect(server.asked[0]?.headers['x-fingerprint']).toMatch(/^\w+-/)
  })
})

describe('payment', () => {
  it('that is restricted is said as the catalogue says it', () =>
    expect(messages.paymentRestricted).toBe('请在手机微信中打开本页面完成支付'))
})

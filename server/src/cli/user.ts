import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { ApiError } from '../base/api-error.ts'
import { shanghaiTime } from '../base/time.ts'
import { copyUser } from '../system/copy-user.ts'
import * as users from '../user/administration.ts'
import { nameOf } from '../user/names.ts'
import { checkNewPassword } from '../user/password-rules.ts'
import { type CommandContext, withCommandContext } from './command-context.ts'
import { exits, Stop } from './exits.ts'
import { answer, print } from './output.ts'
import { table } from './text.ts'

const stateWords: Record<users.State, string> = { active: '正常', disabled: '已停用', leaving: '注销中' }

export async function list(given: { offset?: number; limit?: number; state?: users.State }): Promise<void> {
  const { offset = 0, limit = 20, state } = given
  await withCommandContext('database', async (deps) => {
    const { total, users: found } = await users.listUsers(deps, { offset, limit, state })
    const heading = ['用户 ID', '账号', '昵称', '状态', '会员至', '注册', '最近登录']
    const rows = found.map((user) => [
      user.user_id,
      user.account,
      user.nickname,
      stateWords[user.state],
      vipWords(user),
      day(user.created_at),
      day(user.last_login_at),
    ])
    const part = found.length < total ? `，显示第 ${offset + 1} 至 ${offset + found.length} 个` : ''
    answer({ total, offset, limit, list_items: found.map(onWire) }, () => `${table([heading, ...rows])}\n\n共 ${total} 个用户${part}`)
  })
}

export async function show(name: string): Promise<void> {
  await withUser(name, async (deps, id) => {
    const user = await users.readUser(deps, id)
    if (!user) return
    const lines = [
      ['用户 ID', user.user_id],
      ['账号', user.account],
      ['昵称', user.nickname],
      ['状态', stateWords[user.state] + (user.deletion_at ? `，${moment(user.deletion_at)} 删除` : '')],
      ['会员', vipWords(user)],
      ['注册', moment(user.created_at)],
      ['最近登录', moment(user.last_login_at)],
    ]
    answer(onWire(user), () => table(lines))
  })
}

export async function create(address: string, given: { nickname?: string; passwordStdin?: boolean }): Promise<void> {
  const { password, note, made } = await passwordFrom(given.passwordStdin)
  await withCommandContext('database', async (deps) => {
    const nickname = given.nickname === undefined ? undefined : refusing(() => nameOf(given.nickname ?? ''))
    deps.stay()
    const id = await users.createUser(deps, { address, nickname, password })
    if (!id) throw new Stop(exits.refused, '没有建立：账号不是手机号或邮箱，或已被使用')
    answer({ user_id: id, ...made }, () => `已建立用户 ${id}${note}`)
  })
}

export async function setPassword(name: string, given: { passwordStdin?: boolean }): Promise<void> {
  const { password, note, made } = await passwordFrom(given.passwordStdin)
  await withUser(name, async (deps, id) => {
    const devices = await users.setPassword(deps, id, password)
    answer({ devices, ...made }, () => `已设置新密码，退出了 ${devices} 台设备${note}`)
  })
}

export const disable = (name: string) =>
  withUser(name, async (deps, id) => print(`已停用，退出了 ${await users.disableUser(deps, id)} 台设备`))

export const enable = (name: string) =>
  withUser(name, async (deps, id) => {
    await users.enableUser(deps, id)
    print('已恢复，用户可以重新登录')
  })

export const grantVip = (name: string, days: number) =>
  withUser(name, async (deps, id) => {
    const until = await users.grantVip(deps, id, days)
    if (!until) throw new Stop(exits.refused, '该用户的会员没有到期日，无需赠送')
    print(`已赠送 ${days} 天，会员至 ${moment(until)}`)
  })

export const revokeSessions = (name: string) =>
  withUser(name, async (deps, id) => print(`退出了 ${await users.revokeSessions(deps, id)} 台设备`))

export const remove = (name: string) =>
  withUser(name, async (deps, id) => print(`已登记注销，将于 ${moment(await users.deleteUser(deps, id))} 后删除，期间可以撤销`))

export const comeBack = (name: string) =>
  withUser(name, async (deps, id) => {
    await users.restoreUser(deps, id).catch(asRefusal)
    print('已撤销注销')
  })

export const copyFrom = (name: string, { from }: { from: string }) =>
  withUser(name, async ({ db }, id) => {
    const copied = await copyUser(db, id, from)
    const { factors, strategies, groups, tradingConfigs, configs } = copied
    answer(
      copied,
      () =>
        `已取回因子 ${factors} 个、策略 ${strategies} 个、组合 ${groups} 个、交易设置 ${tradingConfigs} 个、QMT 配置 ${configs} 个（停用）`,
    )
  })

export async function auditTrail(name: string | undefined, { limit = 50 }: { limit?: number }): Promise<void> {
  await withCommandContext('database', async (deps) => {
    // A deleted user is still found by id.
    const id = name === undefined ? undefined : ((await users.findUser(deps, name)) ?? name)
    if (id !== undefined && !users.idShape.test(id)) throw new Stop(exits.refused, `没有用户“${name}”`)
    const rows = await users.readAudit(deps, limit, id)
    const shown = (value: unknown) => (value ? JSON.stringify(value) : '')
    const heading = ['时间', '操作者', '操作', '用户', '之前', '之后']
    const cells = rows.map((row) => [moment(row.at), row.actor, row.action, row.user_id ?? '', shown(row.before), shown(row.after)])
    answer(rows, () => table([heading, ...cells]))
  })
}

async function withUser(name: string, act: (deps: CommandContext, id: string) => Promise<void>): Promise<void> {
  await withCommandContext('database', async (deps) => {
    const id = await users.findUser(deps, name)
    if (!id) throw new Stop(exits.refused, `没有用户“${name}”`)
    deps.stay()
    await act(deps, id)
  })
}

/** From standard input, since arguments can be read by every user of the machine; or random and shown once. */
async function passwordFrom(stdin: boolean | undefined): Promise<{ password: string; note: string; made: { password?: string } }> {
  if (!stdin) {
    const password = randomBytes(12).toString('base64url')
    return { password, note: `，密码 ${password}（只显示这一次，请用户登录后修改）`, made: { password } }
  }
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  await checkNewPassword(password, []).catch(asRefusal)
  return { password, note: '', made: {} }
}

/** Turns a refusal of the site into one of the command line, for the operator. */
function refusing<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    asRefusal(error)
  }
}

function asRefusal(error: unknown): never {
  throw error instanceof ApiError ? new Stop(exits.refused, error.message) : error
}

const moment = (at: Date | null): string => (at ? shanghaiTime(at).slice(0, 19).replace('T', ' ') : '—')
const day = (at: Date | null): string => moment(at).slice(0, 10)
const vipWords = ({ vip_level, vip_until }: users.Listed): string => (vip_level === 0 ? '—' : vip_until ? day(vip_until) : '长期')

const onWire = (user: users.Listed) => ({
  ...user,
  vip_until: user.vip_until && shanghaiTime(user.vip_until),
  deletion_at: user.deletion_at && shanghaiTime(user.deletion_at),
  created_at: shanghaiTime(user.created_at),
  last_login_at: user.last_login_at && shanghaiTime(user.last_login_at),
})

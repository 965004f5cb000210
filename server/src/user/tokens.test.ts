import type { TokenData } from '@convexa/contract'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { loginSite, wang } from '../../test/fixtures/login-site.ts'

const here = loginSite()
const { ask, login, refresh, info } = here
const later = (seconds: number) =>
  sql`update session set rotated_at = rotated_at - make_interval(secs => ${seconds}), access_expires_at = access_expires_at - make_interval(secs => ${seconds}),
      previous_access_expires_at = previous_access_expires_at - make_interval(secs => ${seconds}),
      refresh_expires_at = refresh_expires_at - make_interval(secs => ${seconds}), absolute_expires_at = absolute_expires_at - make_interval(secs => ${seconds})`.execute(
    here.database.db,
  )

test('twenty families, each refreshed by up to fifty at once and asked again by who heard nothing: one successor each', async () => {
  for (let family = 0; family < 20; family++) {
    const { data } = await login(wang, `198.51.100.${family}`)
    const answers = await Promise.all(Array.from({ length: 2 + ((family * 29) % 49) }, () => refresh(data)))
    answers.push(await refresh(data))
    expect(new Set(answers.map((answer) => `${answer.data.access_token} ${answer.data.refresh_token}`)).size).toBe(1)
    expect((await info(answers[0]?.data.access_token ?? '')).status).toBe(200)
  }
})

test('a renewal moves the end of a login, up to its longest age', async () => {
  const first = await login(wang)
  await later(86_400)
  expect((await refresh(first.data)).data.login_ends_in).toBe(14 * 86_400)
  await sql`update session set absolute_expires_at = now() + interval '100 seconds'`.execute(here.database.db)
  const last = await refresh((await login(wang)).data)
  expect(last.data.login_ends_in).toBe(14 * 86_400)
  await sql`update session set absolute_expires_at = now() + interval '100 seconds'`.execute(here.database.db)
  const { data } = await refresh(last.data)
  for (const seconds of [data.login_ends_in, data.expires_in]) {
    expect(seconds).toBeLessThanOrEqual(100)
    expect(seconds).toBeGreaterThan(80)
  }
})

test('an access token lives half an hour', async () => {
  const { data } = await login(wang)
  await later(29 * 60)
  expect((await info(data.access_token)).status).toBe(200)
  await later(60)
  expect(await info(data.access_token)).toMatchObject({ status: 401, code: 40101 })
  expect((await refresh(data)).status).toBe(200)
})

test('a refresh token lives 14 days, and the login 60 however often it is refreshed', async () => {
  const day = 24 * 3600
  let { data } = await login(wang)
  for (let i = 0; i < 5; i++) {
    await later(11 * day)
    data = (await refresh(data)).data
  }
  await later(6 * day)
  expect(await refresh(data)).toMatchObject({ status: 401, code: 40101 })
  const idle = (await login(wang)).data
  await later(14 * day)
  expect(await refresh(idle)).toMatchObject({ status: 401, code: 40101 })
})

test('fifty refreshes at once get one and the same successor', async () => {
  const { data } = await login(wang)
  const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(data)))
  expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
  expect(new Set(answers.map((answer) => answer.data.refresh_token)).size).toBe(1)
  expect(await sql`select from session`.execute(here.database.db).then(({ rows }) => rows.length)).toBe(1)
  expect((await info(answers[0]!.data.access_token)).status).toBe(200)
})

test('a used-up refresh token ends the login for its thief and its owner', async () => {
  const first = (await login(wang)).data
  const second = (await refresh(first)).data
  await later(11)
  expect(await refresh(first)).toMatchObject({ status: 401, code: 40103 })
  expect(await info(second.access_token)).toMatchObject({ status: 401, code: 40103 })
  expect(await refresh(second)).toMatchObject({ status: 401, code: 40103 })
})

test('and with it every other login of that user, as its sentence says', async () => {
  const elsewhere = (await login(wang)).data
  const first = (await login(wang)).data
  await refresh(first)
  await later(11)
  expect(await refresh(first)).toMatchObject({ status: 401, code: 40103, msg: '检测到登录凭证异常，已退出全部设备，请重新登录' })
  expect((await info(elsewhere.access_token)).code).toBe(40103)
})

test('Node’s clock decides nothing, wherever it stands', async () => {
  const { data } = await login(wang)
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    for (const shift of [-86_400_000, -3_600_000, -600_000, 600_000, 86_400_000, 90 * 86_400_000]) {
      vi.setSystemTime(performance.timeOrigin + performance.now() + shift)
      expect((await info(data.access_token)).status).toBe(200)
    }
    const { data: next } = await refresh(data)
    await later(1_801)
    vi.setSystemTime(performance.timeOrigin - 86_400_000)
    expect(await info(next.access_token)).toMatchObject({ status: 401, code: 40101 })
  } finally {
    vi.useRealTimers()
  }
})

test('so does one from two rotations ago, at any time', async () => {
  const first = (await login(wang)).data
  const second = (await refresh(first)).data
  await refresh(second)
  expect(await refresh(first)).toMatchObject({ status: 401, code: 40103 })
})

test('the eleventh login ends the first', async () => {
  const all: TokenData[] = []
  for (let i = 0; i < 11; i++) all.push((await login(wang)).data)
  expect(await info(all[0]!.access_token)).toMatchObject({ status: 401, code: 40102 })
  expect((await info(all[1]!.access_token)).status).toBe(200)
  expect((await info(all[10]!.access_token)).status).toBe(200)
})

test('made-up tokens of a real session do it no harm', async () => {
  const { data } = await login(wang)
  const forged = data.access_token.slice(0, 22) + 'A'.repeat(42)
  expect(await info(forged)).toMatchObject({ status: 401, code: 40101 })
  expect((await info(data.access_token)).status).toBe(200)
  for (const token of ['', 'x', 'A'.repeat(64), `${data.access_token}x`]) {
    expect(await ask('PUT', '/v1/authorize/access-token', { body: { refresh_token: token || 'y', access_token: '' } })).toMatchObject({
      status: 401,
      code: 40100,
    })
  }
})

test('neither the database nor the log holds anything to log in with', async () => {
  const { data } = await login(wang)
  const next = (await refresh(data)).data
  const { rows } = await sql<{ text: string }>`
    select (select string_agg(s::text, ' ') from session s) || (select string_agg(u::text, ' ') from app_user u) as text`.execute(
    here.database.db,
  )
  const kept = rows[0]!.text + here.logged.join('\n')
  for (const secret of [data, next].flatMap(({ access_token, refresh_token }) => [access_token, refresh_token])) {
    expect(kept).not.toContain(secret)
    expect(kept).not.toContain(Buffer.from(secret).toString('hex'))
  }
  expect(kept).not.toContain(wang.password)
})

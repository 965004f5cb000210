import { expect, test } from 'vitest'
import { unnamedIn } from './statements.ts'

const tables = new Set(['app_user', 'strategy', 'backtest_run', 'session', 'quota_use'])
const whatOf = async (text: string) => (await unnamedIn({ text, place: 'a.ts' }, tables)).map(({ what }) => what)

test.each([
  ['select name from strategy where id = $1', ['select strategy']],
  ['select name from strategy where id = $1 and user_id = $2', []],
  ['select name from strategy where user_id = $1 or kind = $2', ['select strategy']],
  ['select name from strategy where (user_id = $1 and a = 1) or (user_id = $2)', []],
  ['select name from strategy where not (user_id = $1)', ['select strategy']],
  ['select name from strategy where user_id <> $1', ['select strategy']],
  ['select name from strategy where user_id = any($1::uuid[])', []],
  ['select name from strategy where user_id in ($1, $2)', []],
  ['select name from strategy where user_id in (select id from app_user where id = $1)', []],
  ['select name from strategy where user_id in (select id from app_user)', ['select app_user']],
  // Joined rows are the user's when one of them is.
  ['select 1 from strategy s join app_user u on u.id = s.user_id where s.user_id = $1', []],
  ['select 1 from strategy s join app_user u on u.id = s.user_id where s.id = $1', ['select strategy', 'select app_user']],
  ['select 1 from strategy s join backtest_run r on r.strategy_id = s.id where s.user_id = $1', ['select backtest_run']],
  ['select 1 from strategy s join backtest_run r on r.user_id = s.user_id where s.user_id = $1', []],
  // A column of a row that may be anybody's is no value.
  ['select 1 from strategy s, backtest_run r where s.user_id = r.owner_id and r.user_id = $1', ['select strategy']],
  ['update strategy set name = $1 where id = $2', ['update strategy']],
  ['update strategy set name = $1 where id = $2 and user_id = $3', []],
  ['delete from session where id = $1', ['delete session']],
  ['delete from session using app_user u where u.id = session.user_id and u.id = $1', []],
  ['insert into quota_use (user_id, used) values ($1, 1) on conflict do nothing', []],
  ['insert into quota_use (user_id, used) select user_id, 1 from strategy', ['select strategy']],
  ['with mine as (select id from strategy where user_id = $1) select * from mine', []],
  ['with strategy as (select 1) select * from strategy', []],
  ['with gone as (delete from session returning id) select 1', ['delete session']],
  ['select (select count(*) from backtest_run where user_id = u.id) from app_user u where u.id = $1', []],
  ['select 1 from market_snapshot', []],
])('%s', async (text, found) => {
  expect((await whatOf(text)).sort()).toEqual([...found].sort())
})

-- Users: until when they are VIP (null: without an end), what they like to see, whether an operator has shut them out, and the
-- moment at which a deletion that they asked for is carried out.
alter table app_user
  add column vip_until timestamptz,
  add column prefs jsonb not null default '{}',
  add column disabled_at timestamptz,
  add column deletion_at timestamptz;
create index app_user_deletion on app_user (deletion_at) where deletion_at is not null;

-- The five minutes in which this login may do what asks for the password once more.
alter table session add column re_auth_until timestamptz;
alter table session drop constraint session_revoke_reason_check;
alter table session add constraint session_revoke_reason_check check (
  revoke_reason in ('logout', 'reuse', 'limit', 'others', 'password', 'mobile', 'email', 'wechat', 'disabled', 'deleted', 'operator')
);

-- Every attempt to log in that was looked at, kept longer than its user: the law asks for six months. No foreign key therefore:
-- after a deletion the id points nowhere. Without a user: the account is unknown here, and what was typed is not kept.
create table login_record (
  id uuid primary key,
  user_id uuid,
  session_id uuid,
  login_at timestamptz not null default now(),
  method text not null check (method in ('password', 'wechat')),
  success boolean not null,
  -- Words of our own tables, read from the User-Agent; '' when it said nothing known.
  device text not null,
  os text not null,
  browser text not null,
  -- Whole for half a year, then its network alone.
  ip inet not null,
  fingerprint text
);
create index login_record_of_user on login_record (user_id, login_at desc, id desc);
create index login_record_age on login_record (login_at);

-- Acts of operators, of users upon their account and of our own sweeps. Rows are written and never changed; they hold no secret and
-- nothing personal but the user's id, so they need not be changed when a user is deleted.
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- 'operator name@host', 'user', 'system'
  actor text not null,
  action text not null,
  user_id uuid,
  before jsonb,
  after jsonb
);
create index audit_of_user on audit (user_id, id);
create function append_only() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger audit_append_only before update or delete or truncate on audit
  for each statement execute function append_only();

-- The operator's switch: one row. `until` is what visitors are told, nothing happens by itself then.
create table maintenance (
  only_row boolean primary key default true check (only_row),
  is_on boolean not null default false,
  until timestamptz
);
insert into maintenance default values;

-- Users and their logins. Tokens are opaque 256-bit values; only SHA-256 hashes are stored.
create table app_user (
  id uuid primary key,
  account text not null,
  nickname text not null,
  password_hash text,
  is_demo boolean not null default false,
  vip_level smallint not null default 0,
  created_at timestamptz not null default now()
);
create unique index app_user_account on app_user (lower(account));

-- One row is one login and all the tokens that follow from it. A token names its row, so a used-up refresh token is known as such.
create table session (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  access_hash bytea not null,
  refresh_hash bytea not null,
  -- The pair before the last rotation: the old access token lives on until its time, requests under way must not fail.
  previous_access_hash bytea,
  previous_access_expires_at timestamptz,
  previous_refresh_hash bytea,
  -- The current pair, encrypted under the previous refresh token: two tabs that refresh at once get the same answer.
  successor bytea,
  rotated_at timestamptz,
  access_expires_at timestamptz not null,
  refresh_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text check (revoke_reason in ('logout', 'reuse', 'limit')),
  created_at timestamptz not null default now()
);
create index session_of_user on session (user_id);

-- Failed logins in a window that starts with the first; keys are hashes of account and network, or of the network.
create table login_failure (
  key bytea primary key,
  failures integer not null,
  window_ends_at timestamptz not null
);

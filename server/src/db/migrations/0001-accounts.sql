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

create table session (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  access_hash bytea not null,
  refresh_hash bytea not null,
  previous_refresh_hash bytea,
  rotated_at timestamptz,
  access_expires_at timestamptz not null,
  refresh_expires_at timestamptz not null,
  absolute_expires_at timestamptz not null,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create unique index session_access on session (access_hash);
create unique index session_refresh on session (refresh_hash);
create index session_previous_refresh on session (previous_refresh_hash) where previous_refresh_hash is not null;
create index session_user on session (user_id);

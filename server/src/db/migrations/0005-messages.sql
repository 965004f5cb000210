-- Messages on their way out. What is to be sent and to whom is sealed with the server's key; a row goes when it was sent or given up.
create table message (
  id uuid primary key,
  sealed bytea not null,
  -- Nobody wants a code that has run out.
  expires_at timestamptz not null,
  attempts smallint not null default 0,
  -- The vendor was asked and we have not heard the answer: the message may be there already.
  unclear boolean not null default false,
  created_at timestamptz not null default now()
);
create index message_expiry on message (expires_at);

-- One WeChat of an account. openid and unionid are sealed; the indexes are HMACs, so that a dump names nobody.
create table wechat_credential (
  id uuid primary key,
  user_id uuid not null unique references app_user (id) on delete cascade,
  sealed bytea not null,
  openid_index bytea not null unique,
  unionid_index bytea unique,
  nickname text not null,
  avatar_url text,
  bound_at timestamptz not null default now()
);

-- What may be used once: hashes of WeChat codes for 15 minutes, ids of bind tickets for 10.
create table used_once (
  key bytea primary key,
  until timestamptz not null
);
create index used_once_until on used_once (until);

-- Permission to upload one file: random, its owner's, short.
create table upload (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index upload_of_user on upload (user_id, created_at);

-- Files that we keep, made by us from what was uploaded. `name` is random: who knows it may read it.
create table file (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  upload_id uuid not null unique,
  name text not null unique,
  mime text not null,
  size integer not null,
  created_at timestamptz not null default now()
);
create index file_of_user on file (user_id);

alter table app_user add column avatar_file_id uuid references file (id) on delete set null;

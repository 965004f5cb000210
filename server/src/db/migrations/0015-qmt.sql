-- Keys of the users' own clients. Of a key only the hash and its last four characters are kept. One that was replaced lives ten minutes more.
create table qmt_key (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  key_hash bytea not null unique,
  tail text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  last_ip text
);
create unique index qmt_key_newest on qmt_key (user_id) where expires_at is null;
create index qmt_key_of_user on qmt_key (user_id);

-- Since when the user has stopped all automatic trading; null: not stopped.
alter table app_user add column qmt_halted_at timestamptz;

-- `sealed`: the broker's account number; `number_index` finds the same one again without opening it.
create table qmt_account (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  alias text not null,
  broker text not null,
  sealed bytea not null,
  number_index bytea not null,
  account_type text not null check (account_type in ('STOCK', 'CREDIT')),
  client_type text not null check (client_type in ('mini', 'big')),
  initial_capital double precision not null,
  report_status smallint not null check (report_status in (0, 1)),
  reported_at date,
  is_enabled boolean not null,
  remark text not null,
  created_at timestamptz not null default now(),
  unique (id, user_id),
  constraint qmt_account_number unique (user_id, number_index)
);

-- `settings` had been parsed by the contract and checked.
create table qmt_trading_config (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null,
  settings jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, user_id)
);
create unique index qmt_trading_config_name on qmt_trading_config (user_id, lower(name));

-- A config, its account and its trading config are one user's: the keys say it. The source may be deleted; then it trades no more.
-- `version` counts every change of what would be traded, by the config or by its trading config.
-- `dry_run`: what the last one said, with its hash; `confirmed_at`: the user looked at that one.
-- `holdings`: what the client last told that it holds of this config.
create table qmt_config (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  name text not null,
  kind text not null check (kind in ('cb', 'stk')),
  account_id uuid not null,
  source_type text not null check (source_type in ('strategy', 'group')),
  source_id uuid not null,
  capital double precision not null,
  hold_weight_type smallint not null,
  trading_config_id uuid not null,
  enabled boolean not null,
  version integer not null default 1,
  dry_run jsonb,
  confirmed_at timestamptz,
  exported_at timestamptz,
  heartbeat_at timestamptz,
  holdings jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, user_id),
  constraint qmt_config_account foreign key (account_id, user_id) references qmt_account (id, user_id),
  constraint qmt_config_trading_config foreign key (trading_config_id, user_id) references qmt_trading_config (id, user_id)
);
create unique index qmt_config_name on qmt_config (user_id, lower(name));
create index qmt_config_of_account on qmt_config (account_id);
create index qmt_config_of_trading_config on qmt_config (trading_config_id);

-- What a config trades on a day: asked again it is the same. `pulled_at`: the client has it, so it is never made anew.
create table qmt_targets (
  config_id uuid not null,
  user_id uuid not null references app_user (id) on delete cascade,
  trade_date date not null,
  body jsonb not null,
  checksum text not null,
  data_version text not null,
  created_at timestamptz not null default now(),
  pulled_at timestamptz,
  primary key (config_id, trade_date),
  constraint qmt_targets_config foreign key (config_id, user_id) references qmt_config (id, user_id) on delete cascade
);
create index qmt_targets_of_user on qmt_targets (user_id);

-- What the client told of its orders: an order told again is the same row, of two tellings the later one stays.
create table qmt_fill (
  config_id uuid not null,
  order_id text not null,
  user_id uuid not null references app_user (id) on delete cascade,
  trade_date date not null,
  code text not null,
  side text not null check (side in ('buy', 'sell')),
  volume integer not null,
  filled integer not null,
  price double precision,
  amount double precision not null,
  status text not null,
  note text not null,
  dry_run boolean not null,
  ordered_at timestamptz not null,
  told_at timestamptz not null default now(),
  primary key (config_id, order_id),
  constraint qmt_fill_config foreign key (config_id, user_id) references qmt_config (id, user_id) on delete cascade
);
create index qmt_fill_of_user on qmt_fill (user_id, ordered_at desc);

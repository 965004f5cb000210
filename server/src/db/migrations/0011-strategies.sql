-- Saved strategies. `detail` and `settings` had been parsed by the contract; formulas in `detail` that read own factors name them by key.
-- `factor_versions`: own factors in it, nested ones too, with their versions when it was saved.
-- The glance is what was last computed of it: of which version, when, and the daily net values of the last year that go with it.
create table strategy (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('cb', 'stk')),
  name text not null,
  remark text not null,
  tags text[] not null,
  detail jsonb not null,
  settings jsonb,
  version integer not null default 1,
  factor_versions jsonb not null,
  glance jsonb,
  glance_at timestamptz,
  glance_version integer,
  glance_nav jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, user_id, kind)
);
create unique index strategy_name on strategy (user_id, kind, lower(name));

-- What a strategy was: its newest versions are kept.
create table strategy_version (
  strategy_id uuid not null references strategy (id) on delete cascade,
  version integer not null,
  user_id uuid not null references app_user (id) on delete cascade,
  detail jsonb not null,
  settings jsonb,
  created_at timestamptz not null default now(),
  primary key (strategy_id, version)
);
create index strategy_version_of_user on strategy_version (user_id);

create table strategy_group (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('cb', 'stk')),
  name text not null,
  remark text not null,
  rebalance text not null check (rebalance in ('monthly', 'never')),
  duplicate text not null check (duplicate in ('merge', 'separate')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, user_id, kind)
);
create unique index strategy_group_name on strategy_group (user_id, kind, lower(name));

-- A group and its members are one user's and of one market: the keys say it. A strategy that is a member is not deleted (checked at the
-- end of the statement, so that a whole account may go).
create table strategy_group_member (
  group_id uuid not null,
  strategy_id uuid not null,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null,
  weight double precision not null check (weight > 0 and weight <= 1),
  place smallint not null,
  primary key (group_id, strategy_id),
  constraint strategy_group_member_group foreign key (group_id, user_id, kind) references strategy_group (id, user_id, kind) on delete cascade,
  constraint strategy_group_member_strategy foreign key (strategy_id, user_id, kind) references strategy (id, user_id, kind)
);
create index strategy_group_member_of_strategy on strategy_group_member (strategy_id);
create index strategy_group_member_of_user on strategy_group_member (user_id);

-- A user's own factors. `formula` is what was written, `canonical` what is computed: keys instead of names, so that a factor may be
-- given another name without harm to those that use it. The key is asked for by requests (`custom_k3f9ab`).
create table custom_factor (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('cb', 'stk')),
  factor_key text not null unique check (factor_key ~ '^custom_[a-z0-9]{6}$'),
  name text not null,
  formula text not null,
  canonical text not null,
  description text not null,
  unit text,
  decimals smallint not null,
  prefer_default text not null check (prefer_default in ('small', 'large')),
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- As formulas compare names: without spaces, letters' case does not matter.
create unique index custom_factor_name on custom_factor (user_id, kind, lower(replace(name, ' ', '')));

-- Every formula that a factor has had: a run keeps the version that it was computed with.
create table custom_factor_version (
  factor_id uuid not null references custom_factor (id) on delete cascade,
  version integer not null,
  user_id uuid not null references app_user (id) on delete cascade,
  formula text not null,
  canonical text not null,
  created_at timestamptz not null default now(),
  primary key (factor_id, version)
);
create index custom_factor_version_of_user on custom_factor_version (user_id);

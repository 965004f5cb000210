-- phase: expand
-- One row while runs are kept by plan: since when, and the user that the round has come to (server/src/quant/retention.ts).
create table retention (
  only_row boolean primary key default true check (only_row),
  started_at timestamptz not null default now(),
  after_user uuid
);

-- What a user was told of the end of a membership's runs, once for each end.
create table retention_notice (
  user_id uuid not null references app_user (id) on delete cascade,
  lapsed_at timestamptz not null,
  days_before smallint not null,
  told_at timestamptz not null default now(),
  primary key (user_id, lapsed_at, days_before)
);

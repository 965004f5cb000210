-- Of what a run is: the strategy's or the group's name when it was asked for; null for a rule that was not saved.
alter table backtest_run add column name text;
alter table backtest_run add column group_id uuid;
create index backtest_run_strategy on backtest_run (strategy_id) where strategy_id is not null;

-- Runs that their user has deleted: a rule that was tried counts as a trial all the same.
create table removed_trial (
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('cb', 'stk')),
  trial_no integer not null,
  status smallint not null,
  params_hash text not null,
  -- The scored factors of the rule, as its request had them.
  factors jsonb,
  tried_at timestamptz not null,
  primary key (user_id, kind, trial_no)
);

-- true: the report's text is JSON without its first brace, so that what only its owner may know is put before it when it is read.
alter table run_report add column headless boolean not null default false;

-- A report that whoever has its token may read. Of the token only the hash is kept.
create table report_share (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  run_id uuid not null references backtest_run (id) on delete cascade,
  token_hash bytea not null unique,
  views integer not null default 0,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index report_share_of_user on report_share (user_id);
create index report_share_of_run on report_share (run_id);

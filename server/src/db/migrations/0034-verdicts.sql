-- Both answers on a run, read by lists without its report. Null of runs before, of those that are not done, and where there was nothing to
-- hold it against.
alter table backtest_run
  add column worth text,
  add column worth_excess double precision,
  add column trust text,
  add column trust_judged smallint,
  add column trust_passed smallint;

-- A finished run judged with its own check grid: made once, when its owner opens the report.
create table run_check (
  run_id uuid primary key references backtest_run on delete cascade,
  robustness jsonb not null,
  grid jsonb not null,
  engine_version text not null,
  data_version text not null,
  elapsed_ms double precision not null,
  made_at timestamptz not null default now()
);

-- Cells of a check grid were seen as well; of a family the largest such grid counts.
alter table grid_trial add column checks boolean not null default false;

-- phase: expand
-- What a process can do now. seen_at is written every 2 s: a frozen process keeps its lock.
alter table process
  add column ready boolean not null default false,
  add column reason text,
  add column slots smallint not null default 0,
  add column program text,
  add column engine text,
  add column seen_at timestamptz not null default now();
-- Snapshots that a worker has whole.
create table process_snapshot (
  process_id uuid references process (id) on delete cascade,
  snapshot_id uuid references market_snapshot (id) on delete cascade,
  primary key (process_id, snapshot_id)
);
create index process_snapshot_of on process_snapshot (snapshot_id);
-- How often a run was given back because its data could not be read, and by which workers.
alter table backtest_run
  add column attempt smallint not null default 0,
  add column avoid uuid[] not null default '{}';

-- phase: expand
-- Of a finished run its core is kept; trades, holdings and day pages are computed again from the pinned data. `key` names an object,
-- `inline` holds the bytes where there is no object store.
create table run_core (
  run_id uuid primary key references backtest_run (id) on delete cascade,
  format smallint not null,
  bytes integer not null,
  key text,
  inline bytea,
  check ((key is null) <> (inline is null))
);
-- The frames in it are packed already.
alter table run_core alter column inline set storage external;

-- SHA-256 of what decides everything that is computed again; the nav at 64 days as uint16 in thousandths; 2: core and question are kept, 1: the question.
alter table backtest_run
  add column ledger_sha256 bytea,
  add column spark bytea,
  add column kept smallint not null default 2 check (kept in (1, 2));

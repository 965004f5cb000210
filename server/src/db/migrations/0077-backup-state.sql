-- phase: expand
-- How the backups of the embedded database are, at most one row: written by the launcher, read by the page of the operator.
-- began_at, bytes: of the newest whole backup. shipped_at: when the newest WAL segment that is among the backups was archived.
create table backup_state (
  only_row boolean primary key default true check (only_row),
  began_at timestamptz,
  bytes double precision,
  shipped_at timestamptz,
  behind_bytes double precision not null default 0,
  problem text,
  told_at timestamptz not null default now()
);

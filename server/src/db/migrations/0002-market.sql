-- One row publishes one immutable version of a market's columns; readers take the newest row of a kind and read it whole.
create table market_snapshot (
  id uuid primary key,
  kind text not null check (kind in ('cb', 'stk', 'index')),
  data_mode text not null check (data_mode in ('demo', 'imported', 'platform')),
  data_version text not null,
  -- Folder below DATA_DIR/market; holds manifest.json and the column files.
  folder text not null,
  manifest_sha256 text not null,
  first_date date not null,
  last_date date not null,
  securities integer not null,
  -- The import's readable report: checks, counts, warnings.
  quality jsonb not null,
  published_at timestamptz not null default clock_timestamp()
);
create index market_snapshot_newest on market_snapshot (kind, published_at desc);

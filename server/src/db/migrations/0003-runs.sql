-- Every api, worker and command line that owns or computes runs. It holds the session advisory lock (7319, lock_key) while alive:
-- whoever finds the lock free knows that the process is dead.
create table process (
  id uuid primary key,
  role text not null check (role in ('api', 'worker', 'cli')),
  lock_key integer not null unique,
  -- Private HTTP address of a worker and the secret that its callers must show.
  address text,
  secret text,
  started_at timestamptz not null default now()
);
create sequence process_lock_key as integer cycle;

-- A run is the truth; the queue's job only carries its id. Status: 0 排队 1 运行 2 完成 3 失败 4 取消 5 超时 6 中断.
create table backtest_run (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('cb', 'stk')),
  status smallint not null default 0 check (status between 0 and 6),
  strategy_id uuid,
  note text,
  client_run_id text,
  -- {parameters, settings} as asked for.
  request jsonb not null,
  params_hash text not null,
  -- How many runs this user had started in this market, this one included.
  trial_no integer not null,
  snapshot_id uuid references market_snapshot (id),
  -- The index snapshot that its benchmark is read from, pinned likewise.
  index_snapshot_id uuid references market_snapshot (id),
  data_mode text not null,
  data_version text not null,
  engine_version text not null,
  -- Who holds the stream, and who computes.
  owner_id uuid not null,
  worker_id uuid,
  cancel_requested_at timestamptz,
  error_code integer,
  error_message text,
  metrics jsonb,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz
);
create index backtest_run_user on backtest_run (user_id, created_at desc, id desc);
create index backtest_run_open on backtest_run (status) where status in (0, 1);
create index backtest_run_same on backtest_run (user_id, params_hash) where status = 2;
create unique index backtest_run_client on backtest_run (user_id, client_run_id) where client_run_id is not null;

-- What a stream shows, in order; deleted some time after the run ended.
create table run_event (
  run_id uuid not null references backtest_run (id) on delete cascade,
  seq integer not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  primary key (run_id, seq)
);

-- The finished report and its days, as compressed JSON.
create table run_report (
  run_id uuid primary key references backtest_run (id) on delete cascade,
  report bytea not null
);
create table run_days (
  run_id uuid not null references backtest_run (id) on delete cascade,
  first_date date not null,
  last_date date not null,
  days bytea not null,
  primary key (run_id, first_date)
);

-- What a user has used today (Asia/Shanghai), taken in the same transaction as the run; given back when a run failed by our fault.
create table quota_use (
  user_id uuid not null references app_user (id) on delete cascade,
  day date not null,
  item text not null,
  used integer not null check (used >= 0),
  primary key (user_id, day, item)
);

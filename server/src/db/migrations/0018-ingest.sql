-- What has become of a market's day on its way from the sources: one row for each of its steps. A process that dies leaves its row as it
-- was; whoever comes next goes on from there.
create table ingest_step (
  market text not null check (market in ('cb', 'stk', 'index')),
  day date not null,
  -- 'quotes': bars and lists after the close; 'events': announcements in the evening.
  step text not null check (step in ('quotes', 'events')),
  -- waiting: no source has the day yet. asked: answers are kept, nothing is published. refused: the checks said no. held: taken back by
  -- an operator, and not published again by itself.
  state text not null check (state in ('waiting', 'asked', 'published', 'refused', 'held')),
  -- The kept answers: need, source, file below DATA_DIR/raw, bytes, SHA-256.
  answers jsonb not null default '[]',
  -- What was found, in Chinese, and the snapshot that came of it.
  report text not null default '',
  snapshot_id uuid,
  tries integer not null default 0,
  changed_at timestamptz not null default clock_timestamp(),
  primary key (market, day, step)
);
create index ingest_step_newest on ingest_step (changed_at desc);

-- What was published of a security and counts from then on: calls, conversion prices, remaining sizes, ratings. Rows are only added: what
-- was known on a day stays what was known on that day.
create table known_fact (
  id bigint generated always as identity primary key,
  code text not null,
  -- 'call', 'conversion_price', 'remaining_size', 'rating'
  what text not null,
  published date not null,
  -- From when it holds, where that is another day.
  effective date,
  value jsonb not null,
  source text not null,
  learned_at timestamptz not null default clock_timestamp()
);
create unique index known_fact_once on known_fact (code, what, published, coalesce(effective, published), md5(value::text));

-- The newest quotes of the day that is not over: one row, written every few seconds by the one worker that asks the sources, read by all.
-- Lost with a crash of the database, and asked for again.
create unlogged table live_quotes (
  one boolean primary key default true check (one),
  seq bigint not null,
  trade_date date not null,
  -- When the newest of them was made.
  quoted_at timestamptz not null,
  received_at timestamptz not null default clock_timestamp(),
  source text not null,
  codes text not null,
  -- For each number of a quote, then for the time it was made, a double for each code.
  numbers bytea not null
);
create sequence live_quotes_seq;

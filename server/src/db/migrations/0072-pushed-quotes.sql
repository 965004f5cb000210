-- phase: expand
-- What the bridge of a trading terminal pushed, so that it may push to any api and every worker reads it: the newest ticks, and the bars and
-- calls of a day. The body is the JSON of the push, packed by gzip.
create table pushed (
  kind text not null check (kind in ('ticks', 'bars', 'calls')),
  date date not null,
  at timestamptz not null,
  body bytea not null,
  primary key (kind, date)
);
alter table pushed alter column body set storage external;

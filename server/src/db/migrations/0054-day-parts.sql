-- The parts of an ingested day (providers.md 10.1), each with what was expected of it and what has come: a published day may have open
-- parts, which are asked for again in the evening, the next morning and on four Saturdays.
create table day_part (
  market text not null check (market in ('cb', 'stk', 'index')),
  day date not null,
  part text not null check (part in ('bars', 'factors', 'valuations', 'prices', 'sizes', 'lists', 'announcements')),
  state text not null check (state in ('whole', 'part', 'missing')),
  expected integer not null,
  found integer not null,
  -- Codes that have not come; empty where all of them or none have.
  lacking jsonb not null default '[]',
  -- The first source of what has come.
  source text,
  asked_at timestamptz not null,
  -- Not asked for any more.
  closed boolean not null default false,
  primary key (market, day, part)
);
create index day_part_open on day_part (day) where state <> 'whole';

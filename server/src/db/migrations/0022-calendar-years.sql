-- Years of the exchanges' calendar that the program's own table does not have, or that an operator has corrected. A row is a whole year or
-- none: what was told in part is not kept.
create table calendar_year (
  year smallint not null,
  -- An operator's word stands over a source's.
  said_by text not null check (said_by in ('operator', 'source')),
  -- Weekdays on which both exchanges are closed: MMDD, ascending, a space between. Null: no source has told the whole year yet.
  closed text check (closed ~ '^\d{4}( \d{4})*$'),
  -- When it was told so first.
  said_at timestamptz,
  -- Of a source: which one told it or was asked last, when, and why its last answer was not taken.
  source text,
  asked_at timestamptz,
  why text,
  primary key (year, said_by),
  check ((closed is null) = (said_at is null)),
  check (said_by = 'source' or closed is not null)
);

-- What a glance was computed from: the hash of rule, settings and factors, the data, the engine. The same again is not computed again.
alter table strategy add column glance_key text;
-- Net values of the rule followed from the day its version was saved, by the data and the engine of the glance.
alter table strategy add column followed jsonb;

-- What a rule, followed from the day it was saved, held after each close, written when that was first known and never again:
-- `nav` is its net value as it was told then.
create table strategy_day (
  strategy_id uuid not null references strategy (id) on delete cascade,
  version integer not null,
  date date not null,
  user_id uuid not null references app_user (id) on delete cascade,
  codes text[] not null,
  nav double precision not null,
  data_version text not null,
  -- It was the newest day of the data when it was written: nothing later was known.
  on_time boolean not null,
  recorded_at timestamptz not null default now(),
  primary key (strategy_id, version, date)
);
create index strategy_day_of_user on strategy_day (user_id);

-- What happened once and a user is told of (after-saving.md A1). `dedupe` makes it once, whoever learns of it how often.
-- `ref`: the run configuration, of events of automatic trading.
create table alert_event (
  id bigint generated always as identity primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  key text not null,
  scope text not null,
  code text,
  ref uuid,
  body jsonb not null,
  dedupe text not null unique,
  at timestamptz not null default now(),
  read_at timestamptz
);
create index alert_event_of_user on alert_event (user_id, id desc);

-- Cells of parameter grids: each is a rule that was tried, and counts against luck.
create table grid_trial (
  id uuid primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('cb', 'stk')),
  -- The scored factors of the rule, as its request had them.
  factors jsonb not null,
  cells integer not null,
  tried_at timestamptz not null default now()
);
create index grid_trial_of_user on grid_trial (user_id, kind);

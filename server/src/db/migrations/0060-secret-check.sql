-- phase: expand
-- Proves which SECRET_KEY the sealed columns are under, without telling it. One row a key, exactly one is current.
create table secret_check (
  key_id text primary key,
  mac bytea not null,
  current boolean not null,
  made_at timestamptz not null default now()
);
create unique index secret_check_current on secret_check (current) where current;

-- How often somebody asked within a stretch of seconds, counted for all apis together. Worth nothing after a crash: unlogged.
create unlogged table rate_use (
  owner uuid not null,
  item text not null,
  used integer not null,
  ends_at timestamptz not null,
  primary key (owner, item)
);

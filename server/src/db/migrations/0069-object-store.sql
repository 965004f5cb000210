-- phase: expand
-- What lies in the object store (server/src/store). The foreign keys are the guarantee: no object is forgotten that something needs.
create table stored_object (
  key text primary key,
  bytes bigint not null,
  -- 0 being written, 1 there, 2 condemned
  state smallint not null default 0 check (state in (0, 1, 2)),
  touched_at timestamptz not null default now(),
  condemned_at timestamptz
);
create index stored_object_condemned on stored_object (condemned_at) where state = 2;
create index stored_object_touched on stored_object (touched_at) where state <> 2;

-- Which objects a published snapshot needs.
create table snapshot_object (
  snapshot_id uuid not null references market_snapshot (id) on delete cascade,
  key text not null references stored_object (key),
  primary key (snapshot_id, key)
);
create index snapshot_object_key on snapshot_object (key);

-- The store manifest: how the snapshot's files are put together; null: a folder of one machine.
alter table market_snapshot add column store_key text references stored_object (key);
-- null: the file lies in DATA_DIR/files.
alter table file add column key text references stored_object (key);
-- The report as it was shared; null: shares of before.
alter table report_share add column key text references stored_object (key);

-- Answers of sources, held until FEED_KEEP_DAYS after they were last given. `place`: source, need and day, as folders.
create table raw_object (
  key text primary key references stored_object (key),
  place text not null,
  given_at timestamptz not null default now()
);
create index raw_object_place on raw_object (place);
alter table run_core add constraint run_core_key_fkey foreign key (key) references stored_object (key);

-- A key is deleted when no row refers to it: each of these is asked.
create index market_snapshot_store_key on market_snapshot (store_key) where store_key is not null;
create index file_key on file (key) where key is not null;
create index report_share_key on report_share (key) where key is not null;
create index run_core_key on run_core (key) where key is not null;

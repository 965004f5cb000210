-- What a client from 2.0.0 on tells besides: its journal, what rests, what changed its book.
-- `journal_id`, `journal_n`: of the journal that counts. `journal_told`: one that does not fit it, as it was told. `journal_word`: which of the
-- two the user chose. `client`: version, clock and login of the last heartbeat.
alter table qmt_config
  add column journal_id text,
  add column journal_n bigint,
  add column journal_told jsonb,
  add column journal_word jsonb,
  add column resting jsonb,
  add column book_changes jsonb,
  add column client jsonb;

-- `seq`: line of the client's journal. `proof`: why the order has ended. `settled_filled`: the user's word on an order whose end is not known.
alter table qmt_fill
  add column order_price double precision,
  add column seq bigint,
  add column proof text,
  add column settled_filled integer,
  add column settled_at timestamptz;

-- The user's word on how much a config holds of a security, until its client has taken it.
create table qmt_book_word (
  config_id uuid not null,
  code text not null,
  user_id uuid not null references app_user (id) on delete cascade,
  volume integer not null,
  word uuid not null,
  said_at timestamptz not null default now(),
  primary key (config_id, code),
  constraint qmt_book_word_config foreign key (config_id, user_id) references qmt_config (id, user_id) on delete cascade
);
create index qmt_book_word_of_user on qmt_book_word (user_id);

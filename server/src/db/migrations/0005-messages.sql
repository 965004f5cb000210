-- Messages on their way out. What is to be sent and to whom is sealed with the server's key; a row goes when it was sent or given up.
create table message (
  id uuid primary key,
  sealed bytea not null,
  -- Nobody wants a code that has run out.
  expires_at timestamptz not null,
  attempts smallint not null default 0,
  created_at timestamptz not null default now()
);
create index message_expiry on message (expires_at);

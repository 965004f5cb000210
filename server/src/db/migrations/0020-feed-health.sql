-- How the sources answer: for each question that one is asked, when it last gave an answer and when it last did not. Written by whoever asks.
create table feed_health (
  source text not null,
  need text not null,
  answered_at timestamptz,
  failed_at timestamptz,
  -- Of the last failure: its kind (feed.ts) and a Chinese sentence.
  fault text,
  why text,
  -- Not asked before: its share is used up, it may not answer, or it left too many questions without an answer.
  quiet_until timestamptz,
  primary key (source, need)
);
-- What a step took, how many rows were left out of it, and what the checks found (without examples).
alter table ingest_step
  add column seconds real,
  add column quarantined integer not null default 0,
  add column findings jsonb not null default '[]';

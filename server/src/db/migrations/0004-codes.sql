-- Mobiles and e-mails of users. They are found by an HMAC and read through a seal, both under the server's secret: a dump tells none.
create table user_contact (
  user_id uuid not null references app_user (id) on delete cascade,
  kind text not null check (kind in ('mobile', 'email')),
  address_hash bytea not null,
  sealed bytea not null,
  -- null: an e-mail that waits for its activation. It opens nothing and keeps nobody else from it.
  verified_at timestamptz,
  primary key (user_id, kind)
);
create unique index user_contact_owner on user_contact (address_hash) where verified_at is not null;

-- `account` is from here on the name of an account that the installation made itself (the demo, the command line); people have contacts.
alter table app_user alter column account drop not null;
-- What was agreed to at the registration, and when.
alter table app_user add column consent_version text, add column consented_at timestamptz;

-- The one living code of a purpose and a target, or of a purpose and a user where it was asked for while logged in; a new one takes its place.
create table verification_code (
  key bytea primary key,
  -- HMAC of key, target and code: a code is good for nothing else.
  code_hash bytea not null,
  sealed_target bytea not null,
  tries smallint not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null default now()
);
create index verification_code_age on verification_code (created_at);

-- Every code that was sent, for the limits; hashes of target and of address or IPv6 network.
create table code_send (
  sent_at timestamptz not null,
  target_hash bytea not null,
  source_hash bytea not null,
  user_id uuid
);
create index code_send_target on code_send (target_hash, sent_at);
create index code_send_source on code_send (source_hash, sent_at);
create index code_send_user on code_send (user_id, sent_at) where user_id is not null;
create index code_send_age on code_send (sent_at);

-- Human checks that were answered: each is good once.
create table human_check_used (
  nonce text primary key,
  expires_at timestamptz not null
);

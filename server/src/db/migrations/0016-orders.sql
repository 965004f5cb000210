-- Plans, orders and the money for them (reliability.md 3). All money is whole fen, all times are this database's clock.

-- What the operator sells. A plan is never deleted, it is taken off sale.
create table vip_plan (
  id uuid primary key,
  name text not null,
  days integer not null check (days between 1 and 3660),
  price_fen integer not null check (price_fen between 1 and 10000000),
  origin_price_fen integer check (origin_price_fen between 1 and 10000000),
  recommended boolean not null default false,
  on_sale boolean not null default true,
  place integer not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- No foreign key to the user: orders are kept when an account is deleted, then they name nobody.
create table vip_order (
  id uuid primary key,
  user_id uuid not null,
  plan_id uuid not null references vip_plan (id),
  plan_name text not null,
  days integer not null check (days between 1 and 3660),
  amount_fen integer not null check (amount_fen between 1 and 10000000),
  status smallint not null default 0 check (status between 0 and 6),
  closed_by text check (closed_by in ('user', 'timeout')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  paid_at timestamptz,
  check ((status = 5) = (closed_by is not null))
);
create unique index vip_order_open on vip_order (user_id, plan_id) where status in (0, 1, 2, 3);
create index vip_order_of_user on vip_order (user_id, created_at desc, id desc);
create index vip_order_expiry on vip_order (expires_at) where status in (0, 2, 3);

-- The moves that an order may make; server/src/order/states.ts says the same.
create table order_transition (
  from_status smallint not null,
  to_status smallint not null,
  primary key (from_status, to_status)
);
insert into order_transition values
  (0, 1), (0, 4), (0, 5), (1, 2), (1, 3), (1, 4), (1, 5), (2, 1), (2, 4), (2, 5), (3, 1), (3, 4), (3, 5), (4, 6);

create function order_moves() returns trigger language plpgsql as $$
begin
  if new.status <> old.status
    and not exists (select from order_transition where from_status = old.status and to_status = new.status) then
    raise exception 'an order cannot go from % to %', old.status, new.status using errcode = 'check_violation';
  end if;
  -- What was ordered stays as it was ordered.
  if (new.user_id, new.plan_id, new.plan_name, new.days, new.amount_fen, new.created_at)
    is distinct from (old.user_id, old.plan_id, old.plan_name, old.days, old.amount_fen, old.created_at) then
    raise exception 'what was ordered cannot be changed' using errcode = 'check_violation';
  end if;
  return new;
end $$;
create trigger order_moves before update on vip_order for each row execute function order_moves();

create table order_event (
  id bigint generated always as identity primary key,
  order_id uuid not null references vip_order (id),
  at timestamptz not null default clock_timestamp(),
  -- null: the order was made.
  from_status smallint,
  to_status smallint not null,
  -- 'user', 'notice', 'query', 'close', 'bill', 'timeout', 'operator'
  cause text not null
);
create index order_event_of_order on order_event (order_id, id);
create trigger order_event_append_only before update or delete or truncate on order_event
  for each statement execute function append_only();

-- One try to pay, with a number of its own at WeChat: numbers cannot be used again after a close, JSAPI and Native cannot share one.
create table payment_attempt (
  otn text primary key check (otn ~ '^[0-9A-Za-z_-]{6,32}$'),
  order_id uuid not null references vip_order (id),
  seq smallint not null,
  type text not null check (type in ('JSAPI', 'NATIVE')),
  -- INIT: written before WeChat is asked. UNKNOWN: asked, without a clear answer. CLOSING: to be closed, until WeChat has said so.
  state text not null default 'INIT' check (state in ('INIT', 'OPEN', 'CLOSING', 'CLOSED', 'PAID', 'FAILED', 'UNKNOWN')),
  -- What the close is for: 'quit' and 'switch' leave the order to be paid again, 'cancel' and 'expire' end it, 'paid' means by another attempt.
  closing text check (closing in ('quit', 'switch', 'cancel', 'expire', 'paid')),
  code_url text,
  prepay_id text,
  created_at timestamptz not null default now(),
  -- When WeChat is asked next, and how often it was; null: never again.
  next_query_at timestamptz,
  query_count integer not null default 0,
  queried_at timestamptz,
  unique (order_id, seq),
  check (state <> 'CLOSING' or closing is not null)
);
create unique index payment_attempt_live on payment_attempt (order_id) where state in ('INIT', 'OPEN', 'CLOSING', 'UNKNOWN');
create index payment_attempt_due on payment_attempt (next_query_at) where next_query_at is not null;

-- Money that WeChat says it has for us. Each has one effect: it pays its order, or it goes back.
create table payment (
  transaction_id text primary key,
  otn text not null references payment_attempt (otn),
  order_id uuid not null references vip_order (id),
  total_fen integer not null check (total_fen > 0),
  -- What the payer gave; less where they had a coupon.
  payer_total_fen integer not null check (payer_total_fen >= 0),
  paid_at timestamptz not null,
  source text not null check (source in ('notice', 'query', 'close', 'bill')),
  effect text not null check (effect in ('GRANT', 'REFUND')),
  created_at timestamptz not null default now()
);
create unique index payment_that_grants on payment (order_id) where effect = 'GRANT';
create index payment_of_order on payment (order_id);

-- Days that somebody was given, one after the other: `app_user.vip_until` is where they end (server/src/vip/subscription.ts).
create table subscription_grant (
  id uuid primary key,
  user_id uuid not null,
  -- null: given by an operator.
  order_id uuid unique references vip_order (id),
  days integer not null check (days between 1 and 3660),
  granted_at timestamptz not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null check (ends_at >= starts_at),
  revoked_at timestamptz
);
create index subscription_grant_of_user on subscription_grant (user_id, granted_at, id);
-- Who was given days before there were grants keeps them, rounded up.
insert into subscription_grant (id, user_id, days, granted_at, starts_at, ends_at)
  select gen_random_uuid(), id, d, now(), now(), now() + make_interval(hours => 24 * d)
  from (select id, least(3660, ceil(extract(epoch from vip_until - now()) / 86400)::integer) as d
    from app_user where vip_level > 0 and vip_until > now()) u;
update app_user set vip_until = g.ends_at from subscription_grant g where g.user_id = app_user.id;

-- Money on its way back. The number is fixed with the row: asked again with it WeChat never pays twice.
create table refund (
  out_refund_no text primary key check (out_refund_no ~ '^[0-9A-Za-z_-]{6,64}$'),
  transaction_id text not null references payment (transaction_id),
  amount_fen integer not null check (amount_fen > 0),
  state text not null default 'REQUESTED' check (state in ('REQUESTED', 'PROCESSING', 'SUCCESS', 'CLOSED', 'ABNORMAL')),
  -- LATE: the order was closed. DUPLICATE: it was paid already. OPERATOR: by hand.
  reason text not null check (reason in ('LATE', 'DUPLICATE', 'OPERATOR')),
  -- The days of the order are taken back when the money is.
  revokes boolean not null default false,
  tries integer not null default 0,
  next_try_at timestamptz,
  created_at timestamptz not null default now(),
  done_at timestamptz
);
create unique index refund_automatic on refund (transaction_id) where reason <> 'OPERATOR';
create index refund_of_payment on refund (transaction_id);
create index refund_due on refund (next_try_at) where next_try_at is not null;

-- Never more goes back than came; two refunds of a payment wait for one another.
create function refund_within_payment() returns trigger language plpgsql as $$
declare
  paid integer;
  back integer;
begin
  select total_fen into paid from payment where transaction_id = new.transaction_id for update;
  select coalesce(sum(amount_fen), 0) into back from refund
    where transaction_id = new.transaction_id and state <> 'CLOSED' and out_refund_no <> new.out_refund_no;
  if new.state <> 'CLOSED' and back + new.amount_fen > paid then
    raise exception 'more would go back than was paid' using errcode = 'check_violation', constraint = 'refund_within_payment';
  end if;
  return new;
end $$;
create trigger refund_within_payment before insert or update on refund for each row execute function refund_within_payment();

-- What WeChat told us and was really WeChat's. Told again it is the same row. Not what makes a payment count once: that are the keys above.
create table payment_notice (
  event_id text primary key,
  event_type text not null,
  body_sha256 bytea not null,
  outcome text not null,
  times integer not null default 1,
  received_at timestamptz not null default now()
);

-- What does not fit and an operator must look at.
create table payment_anomaly (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  what text not null,
  otn text not null,
  transaction_id text not null,
  detail jsonb not null,
  resolved_at timestamptz,
  unique (what, otn, transaction_id)
);

-- Days (Asia/Shanghai) whose bill was compared with our own rows.
create table payment_bill (
  day date primary key,
  payments integer not null,
  refunds integer not null,
  -- Payments that we heard of first by the bill.
  found integer not null,
  unexplained integer not null,
  compared_at timestamptz not null default now()
);

-- The openid of a user at the paying application, sealed: whom a payment inside WeChat is made out to.
create table wechat_payer (
  user_id uuid primary key references app_user (id) on delete cascade,
  sealed bytea not null,
  updated_at timestamptz not null default now()
);

-- phase: expand
-- transaction: none
create index concurrently if not exists quota_use_day on quota_use (day);

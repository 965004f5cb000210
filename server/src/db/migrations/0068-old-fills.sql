-- phase: expand
-- transaction: none
create index concurrently if not exists qmt_fill_day on qmt_fill (trade_date);

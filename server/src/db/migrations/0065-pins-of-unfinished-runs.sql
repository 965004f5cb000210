-- phase: expand
-- transaction: none
create index concurrently if not exists backtest_run_unfinished_pin on backtest_run (finished_at) where status > 2 and snapshot_id is not null;

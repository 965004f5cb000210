-- phase: expand
-- transaction: none
create index concurrently if not exists backtest_run_snapshot on backtest_run (snapshot_id);

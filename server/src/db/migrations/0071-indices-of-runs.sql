-- phase: expand
-- transaction: none
create index concurrently if not exists backtest_run_index_snapshot on backtest_run (index_snapshot_id);

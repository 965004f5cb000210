-- phase: expand
-- transaction: none
create index concurrently if not exists backtest_run_kept on backtest_run (user_id, created_at desc, id desc) where status = 2 and kept = 2;

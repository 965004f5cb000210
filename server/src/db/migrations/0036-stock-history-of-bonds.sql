-- The shares' data that a bond market's run reads the history of underlying shares from; null of runs before, and where no shares are loaded.
alter table backtest_run add column stock_snapshot_id uuid references market_snapshot (id);

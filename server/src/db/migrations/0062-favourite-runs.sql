-- phase: expand
-- A favourite is kept whatever its age (server/src/quant/retention.ts).
alter table backtest_run add column favourite boolean not null default false;

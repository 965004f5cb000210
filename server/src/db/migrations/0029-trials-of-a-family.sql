-- Which trial of its family a run was, as its report says: `trial_no` counts all runs of a market. Null of groups and of runs before.
alter table backtest_run add column family_trials int;

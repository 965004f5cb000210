-- phase: expand
-- Why the report of a run from before there were cores was not turned into one; null: it was not tried yet.
alter table run_report add column kept_whole text check (kept_whole in ('other days', 'no data', 'refused'));

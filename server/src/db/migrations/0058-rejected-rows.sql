-- Codes whose row of a day did not count as its source gave it: the alarm of the third day running reads them here, not out of the kept
-- answers. Null: a day of before.
alter table ingest_step add column rejected jsonb;

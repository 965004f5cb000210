-- Since when files of a snapshot are known to be missing or changed, and which: nobody reads it any more, the one before is used.
alter table market_snapshot add column damaged_at timestamptz, add column damage text;

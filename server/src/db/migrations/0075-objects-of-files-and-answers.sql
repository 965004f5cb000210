-- phase: expand
-- A kept answer is found by its place, its file's path below DATA_DIR/raw, so that a step names it the same wherever it lies. The same bytes
-- may be the answer of several days. Nothing has written this table before.
alter table raw_object drop constraint raw_object_pkey;
drop index raw_object_place;
alter table raw_object alter column place type text collate "C";
alter table raw_object add primary key (place);
create index raw_object_key on raw_object (key);
-- Of the bytes of an upload, whose key is random; null: it lies in DATA_DIR/files.
alter table file add column sha256 bytea;

-- phase: expand
-- One row: the oldest program that may work on these tables. A contract migration raises it.
create table schema_floor (program text not null);
create unique index schema_floor_once on schema_floor ((true));
insert into schema_floor values ('0.1.0');

-- Parts of a followed day's data that its rule reads and that had not come when the day was recorded (decisions/0173).
alter table strategy_day add column open_parts text[] not null default '{}';

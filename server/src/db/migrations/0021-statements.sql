-- The third step of a day: statements, published late in the evening.
alter table ingest_step drop constraint ingest_step_step_check;
alter table ingest_step add constraint ingest_step_step_check check (step in ('quotes', 'events', 'statements'));

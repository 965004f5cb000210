-- phase: expand
-- Events are for the streams of an hour: after a crash of the database the row of the run says how it ended (followRun). Their progress was
-- more than half of the WAL of a stored run.
alter table run_event set unlogged;

-- phase: expand
-- transaction: none
create index concurrently if not exists grid_trial_tried on grid_trial (tried_at);

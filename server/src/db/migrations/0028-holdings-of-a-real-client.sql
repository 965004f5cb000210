-- Whether `holdings` were told by a client that traded for real: those on paper do not take their place, and a client that remembers nothing of
-- them is stopped.
alter table qmt_config add column holdings_real boolean not null default false;

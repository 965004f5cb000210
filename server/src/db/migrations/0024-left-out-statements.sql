-- Statements that the checks left out, and since when: sources go on telling them for days, and each is reported as new once.
create table left_out_statement (
  market text not null check (market in ('cb', 'stk', 'index')),
  -- MD5 of company, period, publication, fault and numbers: with other numbers it is another one.
  digest text not null,
  since date not null,
  primary key (market, digest)
);

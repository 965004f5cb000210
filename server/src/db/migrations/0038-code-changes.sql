-- Codes of securities that changed while the security went on, as the operator adds them to the program's own table.
create table code_change (
  old_code text primary key,
  new_code text not null,
  -- First day on which the security traded under its new code.
  first_day date not null,
  said_at timestamptz not null
);

-- Whose run it is, so that every statement on it names them.
alter table run_check add column user_id uuid not null references app_user on delete cascade;

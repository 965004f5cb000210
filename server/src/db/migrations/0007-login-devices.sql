-- Whether a device has logged in to an account before is asked at every login and for every line of the login history.
create index login_record_device on login_record (user_id, fingerprint, login_at, id) where success;

-- Each visit of the demo is a user of its own for a day (server/src/user/guests.ts). `guest_source`: half of the HMAC of the address that it came
-- from (an IPv4 address, an IPv6 /64), by which guests share limits; null for everybody else. The one account that all visitors shared is swept like
-- any guest, since it is older than a day.
alter table app_user add column guest_source uuid;
create index app_user_guests on app_user (created_at) where is_demo;
create index app_user_guests_of on app_user (guest_source) where is_demo;

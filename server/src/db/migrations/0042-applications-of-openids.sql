-- An openid is of one application of WeChat: the one by which it was learnt. null: learnt before this was written down.
alter table wechat_payer add column app_id text;
alter table wechat_credential add column app_id text;

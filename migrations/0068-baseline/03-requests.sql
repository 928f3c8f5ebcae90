-- What requests are admitted by, and the answers that repeated requests get.
create table api_keys (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  name text not null,
  -- The first 9 characters and a SHA-256: nothing else of the key is kept.
  prefix text not null,
  hash bytea not null unique,
  -- null: full access
  scopes text[],
  rate_limit int check (rate_limit > 0),
  expires_at timestamptz,
  last_used_at timestamptz,
  created_by uuid not null references users,
  created_at timestamptz not null default now(),
  primary key (org, id)
);
-- By which changes of keys are copied to cells.
create index api_keys_id on api_keys (id);

-- Fixed windows of the rate limit when several processes answer requests. Losing them in a crash only starts a new window.
create unlogged table rate_windows (
  bucket bytea primary key,
  requests int not null,
  ends_at timestamptz not null
) with (fillfactor = 50);
create index rate_windows_end on rate_windows (ends_at);

-- First answers of requests with an Idempotency-Key, written in the transaction of what they answer.
create table idempotent_answers (
  org int not null references organizations (org) on delete cascade,
  api_key uuid not null,
  key text not null,
  fingerprint bytea not null,
  status smallint not null,
  etag text,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (org, api_key, key)
);
create index idempotent_answers_age on idempotent_answers (created_at);

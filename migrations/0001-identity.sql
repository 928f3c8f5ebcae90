-- Organizations and their people. better-auth reads and writes these tables (server/identity/auth.ts maps the names).
create table organizations (
  id uuid primary key,
  -- The compact number that rows on hot paths carry instead of the id; it never leaves the server.
  org int generated always as identity unique,
  name text not null,
  slug text not null unique,
  logo text,
  metadata text,
  country text not null default 'US',
  currency text not null default 'USD',
  time_zone text not null default 'UTC',
  created_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  active_organization_id uuid references organizations on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);

create table accounts (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  account_id text not null,
  provider_id text not null,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index accounts_user on accounts (user_id);

create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

create table members (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  unique (organization_id, user_id)
);
create index members_user on members (user_id);

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text,
  status text not null default 'pending',
  expires_at timestamptz not null,
  inviter_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now()
);
create index invitations_organization on invitations (organization_id);
create index invitations_email on invitations (email);

-- better-auth's windows of the dashboard's sign-in, shared by all processes. Losing them only starts new windows.
create unlogged table sign_in_windows (
  id uuid primary key,
  key text not null unique,
  count int not null,
  -- Milliseconds since 1970
  last_request bigint not null
);

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

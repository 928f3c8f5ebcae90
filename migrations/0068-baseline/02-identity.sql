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
  created_at timestamptz not null default now(),
  -- Which database has its rows (22-cells.sql).
  cell int not null default 0,
  -- In the directory. While it is set, no process caches in which cell the organization is.
  moving_to int,
  -- After how many days records in the trash are purged.
  trash_days int not null default 30 check (trash_days between 1 and 365)
);
create index organizations_cell on organizations (cell);

create table users (
  id uuid primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- The file that `image` is the address of, so that it is not swept. No reference: it may be removed with its
  -- organization.
  image_file uuid
);
create index users_image on users (image_file) where image_file is not null;

-- The organization is in the address of every request, not in the session.
create table sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create index sessions_expiry on sessions (expires_at);

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
-- Links for a new password, by the user they are for.
create index verifications_value on verifications (value);
create index verifications_expiry on verifications (expires_at);

-- Links that confirm an e-mail address. Of the secret only its SHA-256 is kept.
create table email_verifications (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  -- The address that the link went to: it confirms no other.
  email text not null,
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index email_verifications_user on email_verifications (user_id, sent_at);
create index email_verifications_expiry on email_verifications (expires_at);

-- better-auth's windows of the dashboard's sign-in, shared by all processes. Losing them only starts new windows.
create unlogged table sign_in_windows (
  id uuid primary key,
  key text not null unique,
  count int not null,
  -- Milliseconds since 1970
  last_request bigint not null
);

-- Wrong passwords, counted for each account and place they came from: the more, the longer the next attempt waits.
create table sign_in_attempts (
  -- SHA-256 of the e-mail in lower case: attempts on accounts that do not exist count the same.
  account bytea not null,
  -- Network address; empty: from anywhere
  address text not null,
  failures int not null,
  blocked_until timestamptz,
  last_at timestamptz not null default now(),
  -- When the account was last entered from there: attempts of others do not hold it up.
  entered_at timestamptz,
  primary key (account, address)
);
create index sign_in_attempts_age on sign_in_attempts (last_at);

create table members (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  user_id uuid not null references users on delete cascade,
  role text not null check (role in ('owner', 'admin', 'member')),
  created_at timestamptz not null default now(),
  unique (organization_id, user_id)
);
create index members_user on members (user_id);

-- Users whom values of the organization may still name.
create table former_members (
  org int not null references organizations (org) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  primary key (org, user_id)
);

create function keep_former_member() returns trigger language plpgsql as $$
begin
  insert into former_members (org, user_id)
  -- None when the organization itself is deleted.
  select o.org, old.user_id from organizations o where o.id = old.organization_id
  on conflict do nothing;
  return null;
end $$;

create trigger former_member after delete on members for each row execute function keep_former_member();

create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  -- SHA-256 of the secret in the link; the secret itself is not kept.
  token_hash bytea not null unique,
  inviter_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  -- The time of the last mail, and the number of mails: there is a limit a day for each organization.
  sent_at timestamptz not null default now(),
  sends int not null default 1,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  cancelled_at timestamptz
);
-- One open invitation per organization and address.
create unique index invitations_open on invitations (organization_id, email)
  where accepted_at is null and cancelled_at is null;
create index invitations_sent on invitations (organization_id, sent_at);
create index invitations_expiry on invitations (expires_at);

-- What a member owns or has to do is given to another member, or to no one, by background work (server/reassignments).
create table reassignments (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  from_user uuid not null references users (id),
  -- null: the values are cleared
  to_user uuid references users (id),
  created_by uuid not null references users (id),
  state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  -- Values and tasks there were when it began.
  total int not null,
  changed int not null default 0,
  -- Values and tasks that could not be changed, and the first reason.
  failed int not null default 0,
  problem text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (org, id)
);

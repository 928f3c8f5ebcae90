-- Invitations with a secret of their own. Nothing could make one before this, so the old table holds nothing.
drop table invitations;
create table invitations (
  id uuid primary key,
  organization_id uuid not null references organizations on delete cascade,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member')),
  -- SHA-256 of the secret in the link; the secret itself is kept nowhere.
  token_hash bytea not null unique,
  inviter_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  -- When the last mail went out, and how many did: an organization sends only so many a day.
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

-- The organization is in the address of every request, not in the session.
alter table sessions drop column active_organization_id;
create index sessions_expiry on sessions (expires_at);
create index verifications_expiry on verifications (expires_at);

-- Messages that no SMTP server was configured for: the operator passes them on (rapport doctor).
create table outgoing_mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null default now()
);
create index outgoing_mail_age on outgoing_mail (created_at);

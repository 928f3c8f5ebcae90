-- People who are users already keep what they could do; those who sign up from now on confirm their address first.
update users set email_verified = true;

-- Links that confirm an e-mail address. The secret is kept as its SHA-256 alone.
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

-- Mails by UTC day: of each organization, and of the installation.
create table mail_days (
  day date not null,
  -- Id of the organization, or `installation`
  sender text not null,
  mails int not null,
  primary key (day, sender)
);

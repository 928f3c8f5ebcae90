-- Messages that no SMTP server was configured for: the operator passes them on (rapport doctor).
create table outgoing_mail (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null default now(),
  -- Of a message that a workflow sent: whose data it may contain.
  organization_id uuid
);
create index outgoing_mail_age on outgoing_mail (created_at);

-- Mails by UTC day: of each organization, and of the installation.
create table mail_days (
  day date not null,
  -- Id of the organization, or `installation`
  sender text not null,
  mails int not null,
  primary key (day, sender)
);

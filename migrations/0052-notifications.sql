-- What members are notified of.
create table notifications (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  kind text not null check (kind in (
    'assigned', 'mentioned', 'due', 'overdue', 'reminder', 'import', 'workflow', 'endpoint')),
  -- What happened: of each user once.
  key text not null,
  -- A later one with the same group adds to `count` while this one is unread, within seconds of the last; null: never.
  group_key text,
  count int not null default 1,
  -- Who did it: a user, or a workflow; null: the service.
  actor uuid,
  workflow uuid,
  -- What it leads to; of several records the first one.
  subject_type text not null check (subject_type in ('record', 'task', 'import', 'workflow', 'endpoint')),
  subject uuid not null,
  -- Of a record.
  obj int,
  -- The attribute that names the user.
  attr int,
  comment uuid,
  -- In words: why a workflow failed, what to be reminded of.
  note text,
  -- Whether the inbox shows it.
  is_shown boolean not null,
  mail text not null check (mail in ('off', 'now', 'daily')),
  mailed_at timestamptz,
  changed_at timestamptz not null default clock_timestamp(),
  read_at timestamptz,
  archived_at timestamptz,
  primary key (org, id)
);
create unique index notifications_key on notifications (org, user_id, key);
create index notifications_inbox on notifications (org, user_id, changed_at, id) where is_shown;
create index notifications_group on notifications (org, user_id, group_key)
  where group_key is not null and read_at is null and archived_at is null;
create index notifications_mail on notifications (mail, org, user_id) where mail <> 'off' and mailed_at is null;
create index notifications_age on notifications (changed_at);

-- Counted up with each change of what a member's inbox shows, and locked by who writes to it.
create table inboxes (
  org int not null references organizations (org) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  version bigint not null default 1,
  primary key (org, user_id)
);

create table notification_settings (
  org int not null references organizations (org) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- {kind: {inApp, mail}}, as far as they were chosen.
  kinds jsonb not null default '{}',
  -- When the daily mail is sent.
  digest_hour int not null default 8 check (digest_hour between 0 and 23),
  -- null: the organization's
  time_zone text,
  -- The member's day of the last daily mail.
  digest_on date,
  primary key (org, user_id)
);

-- Of most objects one: each change of a record looks for it.
create index attributes_of_members on attributes (org, obj)
  where type = 'reference' and config->>'target' = 'members';

-- Open tasks by the time when they are due.
create index activities_due on activities (activity_date)
  where type = 'task' and assignee is not null and completed_at is null;

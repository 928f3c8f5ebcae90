-- What members write to each other about records, and what they are notified and reminded of.

-- They stay with their record while it is in the trash.
create table comments (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  obj int not null,
  record_id uuid not null,
  -- Plain text; <@user id> mentions a member.
  text text not null,
  -- The users that the text mentions, in its order.
  mentions uuid[] not null,
  author uuid not null references users (id),
  api_key uuid,
  edited_at timestamptz,
  primary key (org, id)
);
create index comments_record on comments (org, record_id, id);

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

create table inboxes (
  org int not null references organizations (org) on delete cascade,
  user_id uuid not null references users (id) on delete cascade,
  -- Counted up with each change of what the member's inbox shows, and locked by those who write to it.
  version bigint not null default 1,
  -- Mails to the member that were refused since the last one that was not, and when the next is tried.
  mail_failures int not null default 0,
  mail_after timestamptz,
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

-- What members want to be reminded of: a record, or a task.
create table reminders (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  user_id uuid not null references users (id) on delete cascade,
  subject_type text not null check (subject_type in ('record', 'task')),
  subject uuid not null,
  -- Of a record.
  obj int,
  note text not null,
  due_at timestamptz not null,
  -- Of a task: how long before its due date, which it follows; null: at a time that was chosen.
  before_minutes int,
  delivered_at timestamptz,
  primary key (org, id)
);
create index reminders_user on reminders (org, user_id, due_at) where delivered_at is null;
create index reminders_subject on reminders (org, subject);
create index reminders_due on reminders (due_at) where delivered_at is null;

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

alter table merge_changes drop constraint merge_changes_kind_check;
alter table merge_changes add constraint merge_changes_kind_check
  check (kind in ('reference', 'activity', 'file', 'picture', 'comment', 'reminder'));

-- Notes, calls, meetings, emails and tasks. They link to records.
create table activities (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  title text not null,
  summary text not null,
  activity_date timestamptz not null,
  linked_records jsonb not null,
  participants jsonb not null,
  created_by uuid not null references users,
  updated_at timestamptz not null,
  type text not null default 'note' check (type in ('note', 'call', 'meeting', 'task', 'email')),
  -- When a task was done.
  completed_at timestamptz,
  -- As in records.
  version int not null default 1,
  event_order xid8 not null default '0',
  -- Who is to do a task: the id of a user who was a member when it was assigned.
  assignee uuid,
  primary key (org, id),
  check (completed_at is null or type = 'task')
);
create index activities_date on activities (org, activity_date, id);
-- Tasks still to be done are few among all activities.
create index activities_open on activities (org, activity_date, id) where type = 'task' and completed_at is null;
create index activities_assigned on activities (org, assignee, activity_date, id) where assignee is not null;
-- Open tasks by the time when they are due.
create index activities_due on activities (activity_date)
  where type = 'task' and assignee is not null and completed_at is null;

create trigger older_writers before insert or update or delete on activities
  for each statement execute function refuse_older_writers();

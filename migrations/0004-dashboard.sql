-- What the dashboard keeps beside records: kinds of activities, tasks to be done, saved views.
alter table activities
  add column type text not null default 'note' check (type in ('note', 'call', 'meeting', 'task', 'email')),
  -- When a task was done.
  add column completed_at timestamptz,
  add check (completed_at is null or type = 'task');
-- Tasks still to be done are few among all activities.
create index activities_open on activities (org, activity_date, id) where type = 'task' and completed_at is null;

-- They go with their object: dropped with its row, unseen from the moment it is deleted.
create table views (
  org int not null,
  id uuid not null,
  obj int not null,
  name text not null,
  kind text not null check (kind in ('table', 'board')),
  is_shared boolean not null,
  -- contract/views.ts ViewState
  state jsonb not null,
  created_by uuid not null references users,
  updated_at timestamptz not null default now(),
  primary key (org, id),
  foreign key (org, obj) references objects on delete cascade
);
create index views_object on views (org, obj, created_by);

-- Deleted activities are kept here until they are restored or purged. No read of activities sees them: nothing of `links`
-- leads to them, and their files are rows of trash_files with their id as record_id.
create table trash_activities (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  -- As activities has them.
  type text not null,
  title text not null,
  summary text not null,
  activity_date timestamptz not null,
  completed_at timestamptz,
  assignee uuid,
  linked_records jsonb not null,
  participants jsonb not null,
  created_by uuid not null references users,
  -- Of the deletion: a restored activity continues with the next version.
  version int not null,
  event_order xid8 not null,
  deleted_at timestamptz not null,
  actor uuid,
  primary key (org, id)
);
create index trash_activities_deleted on trash_activities (org, deleted_at, id);

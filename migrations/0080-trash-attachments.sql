-- Removed attachments are kept here until they are restored or purged. No read of attachments sees them.
create table trash_attachments (
  org int not null references organizations (org) on delete cascade,
  -- As attachments has them. The record or activity may be in the trash, so they are no foreign keys.
  id uuid not null,
  obj int,
  record_id uuid,
  activity_id uuid,
  file_id uuid not null,
  name text not null,
  created_by uuid,
  created_at timestamptz not null,
  deleted_at timestamptz not null default clock_timestamp(),
  actor uuid,
  primary key (org, id),
  foreign key (org, file_id) references files,
  check ((record_id is null) = (obj is null) and (record_id is null) <> (activity_id is null))
);
create index trash_attachments_record on trash_attachments (org, record_id) where record_id is not null;
create index trash_attachments_activity on trash_attachments (org, activity_id) where activity_id is not null;
create index trash_attachments_file on trash_attachments (org, file_id);
create index trash_attachments_deleted on trash_attachments (org, deleted_at, id);

-- A process of the version before does not know that these files are in use. It marks a file as unused before it
-- removes the bytes, and removes only what it could mark: files in the trash are left out of such updates.
create function keep_trashed_file() returns trigger language plpgsql as $$
begin
  if exists (select from trash_attachments t where t.org = new.org and t.file_id = new.id) then
    return null;
  end if;
  return new;
end $$;
create trigger keep_trashed before update of unused_since on files
  for each row when (new.unused_since is not null) execute function keep_trashed_file();

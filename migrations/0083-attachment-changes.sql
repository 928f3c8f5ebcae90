-- Changes of attachments by a program or in a change set, so that they can be undone for a day: attachments have no events.
-- A process of the version before writes no rows, and its changes are not undone.
create table attachment_changes (
  org int not null references organizations (org) on delete cascade,
  -- In the order of the statements, with their time.
  id uuid not null default uuidv7(),
  -- The attachment may be in the trash, so it is no foreign key.
  attachment uuid not null,
  kind text not null check (kind in ('created', 'updated', 'deleted')),
  of_activity boolean not null,
  -- The names before and after the change; null for a deletion.
  before text,
  after text,
  actor uuid,
  api_key uuid,
  -- null: the change is in no change set, or was undone with it.
  change_set uuid,
  primary key (org, id)
);
create index attachment_changes_attachment on attachment_changes (org, attachment);
create index attachment_changes_set on attachment_changes (org, change_set, id) where change_set is not null;

-- Finds out where the file of a change is: with its record or activity in the trash.
create index trash_files_attachment on trash_files (org, id) where kind = 'attachment';

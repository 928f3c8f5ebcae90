-- Deleted comments are kept here until they are restored or purged. No read of comments sees them.
create table trash_comments (
  org int not null references organizations (org) on delete cascade,
  -- As comments has them.
  id uuid not null,
  obj int not null,
  record_id uuid not null,
  text text not null,
  mentions uuid[] not null,
  author uuid not null references users,
  api_key uuid,
  edited_at timestamptz,
  deleted_at timestamptz not null default clock_timestamp(),
  actor uuid,
  primary key (org, id)
);
create index trash_comments_record on trash_comments (org, record_id);
create index trash_comments_deleted on trash_comments (org, deleted_at, id);

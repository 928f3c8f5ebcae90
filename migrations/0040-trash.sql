-- Deleted records are kept here until they are restored or purged. No read of records, references or files sees them.

-- After how many days they are purged.
alter table organizations add column trash_days int not null default 30 check (trash_days between 1 and 365);

create table trash (
  org int not null,
  obj int not null,
  id uuid not null,
  -- As records has them.
  data jsonb not null,
  comparable jsonb,
  -- Of the deletion: a restored record continues with the next version.
  version int not null,
  event_order xid8 not null,
  deleted_at timestamptz not null,
  actor uuid,
  api_key uuid,
  -- Attributes that had values: another attribute may have the slug of a deleted one later.
  attrs int[] not null,
  -- Its unique values, as [{attr, value}]: free for other records since the deletion.
  uniques jsonb not null default '[]',
  primary key (org, id)
);
create index trash_deleted on trash (org, obj, deleted_at, id);
create index trash_oldest on trash (org, deleted_at);

-- What referred to a record in the trash: records by attributes, activities by the negative numbers of links.attr.
create table trash_links (
  org int not null,
  attr int not null,
  -- The record in the trash.
  target uuid not null,
  -- What referred to it, which may be in the trash too.
  id uuid not null,
  -- Where in the list it was, from 1.
  place int not null,
  primary key (org, target, attr, id)
);

-- Files and pictures of records in the trash: they are in use.
create table trash_files (
  org int not null references organizations (org) on delete cascade,
  record_id uuid not null,
  -- Of the attachment; of a picture the record's.
  id uuid not null,
  file_id uuid not null,
  kind text not null check (kind in ('attachment', 'picture')),
  name text,
  created_by uuid,
  created_at timestamptz,
  primary key (org, record_id, kind, id),
  foreign key (org, file_id) references files
);
create index trash_files_file on trash_files (org, file_id);

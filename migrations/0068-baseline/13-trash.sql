-- Deleted records are kept here until they are restored or purged. No read of records, references or files sees them.
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
  -- The record that it was merged into: its id answers as that record.
  merged_into uuid,
  -- Whether values may be in an earlier form: then their object gets a row in value_rewrites when they return.
  has_old_values boolean not null default false,
  created_by uuid,
  primary key (org, id)
);
create index trash_deleted on trash (org, obj, deleted_at, id);
create index trash_oldest on trash (org, deleted_at);
create index trash_merged on trash (org, obj, merged_into) where merged_into is not null;

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
-- What was deleted from a list, by the record or activity that has the list: places count all of it.
create index trash_links_holder on trash_links (org, id, attr);

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

-- Deleted attributes, kept until they are restored or purged. Their values are taken out of the records, so that the slug
-- is free, and kept here.
create table trash_attributes (
  org int not null,
  obj int not null,
  attr int not null,
  id uuid not null,
  -- Its row.
  attribute jsonb not null,
  -- `-infinity`: it is being purged.
  deleted_at timestamptz not null default clock_timestamp(),
  deleted_by uuid,
  -- Whether it is restored: then values return to the records, in the name of who restored it.
  is_restored boolean not null default false,
  restored_by uuid,
  api_key uuid,
  has_old_values boolean not null default false,
  primary key (org, attr)
);

create table trash_values (
  org int not null,
  attr int not null,
  -- The record.
  id uuid not null,
  -- As in records.data and records.comparable.
  value jsonb not null,
  comparable jsonb,
  -- Its unique values.
  uniques text[] not null,
  primary key (org, attr, id)
);

-- Deleted objects, kept with their attributes until they are restored or purged. Their records are in the trash.
create table trash_objects (
  org int not null,
  obj int not null,
  id uuid not null,
  -- Its row, and those of its attributes.
  object jsonb not null,
  attributes jsonb not null,
  -- Records that went to the trash since belong to it. `-infinity`: it is being purged.
  deleted_at timestamptz not null default clock_timestamp(),
  deleted_by uuid,
  -- Whether it is restored: then its records return, in the name of who restored it.
  is_restored boolean not null default false,
  restored_by uuid,
  api_key uuid,
  -- The saved views of a deleted object, which return with it.
  views jsonb not null default '[]',
  primary key (org, obj)
);

-- Files of organizations. The row decides: bytes in the store without a stored row belong to nothing, and are swept.
create table files (
  -- No reference to organizations: by the row its bytes are found after the organization is deleted.
  org int not null,
  id uuid not null,
  bucket text not null,
  path text collate "C" not null,
  -- Where the bytes are: <organization's id>/<bucket>/<id>. Nothing that a caller named becomes a part of it.
  key text not null,
  -- What makes the public address one that cannot be guessed. Plain, since records hold such addresses in plain too.
  token text not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'stored')),
  size bigint,
  content_type text,
  -- The store's own validator of the bytes; null where the store has none.
  etag text,
  created_by uuid,
  created_at timestamptz not null default now(),
  -- When the last signed address for it ends.
  expires_at timestamptz not null,
  -- When a store that takes uploads by itself was last asked whether it has the file.
  checked_at timestamptz,
  stored_at timestamptz,
  -- Since when nothing is known to use the file: only of files that the dashboard uploaded itself.
  unused_since timestamptz,
  primary key (org, id),
  unique (org, bucket, path),
  check (state = 'waiting' or (size is not null and content_type is not null and stored_at is not null))
);
create index files_waiting on files (expires_at) where state = 'waiting';
create index files_unused on files (unused_since) where unused_since is not null;
create index files_dashboard on files (org, id) where bucket = 'dashboard-uploads' and state = 'stored';

-- How much is stored, kept with each change of it: one row to lock, and no sum over a million files.
create table file_usage (
  org int primary key,
  files int not null,
  bytes bigint not null
);

-- Files that people attach to records and activities.
create table attachments (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  -- Either a record or an activity; the attachment is deleted with it.
  obj int,
  record_id uuid,
  activity_id uuid,
  file_id uuid not null,
  -- As people named it; the file's own path cannot change.
  name text not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org, id),
  foreign key (org, obj, record_id) references records on delete cascade,
  foreign key (org, activity_id) references activities on delete cascade,
  foreign key (org, file_id) references files,
  check ((record_id is null) = (obj is null) and (record_id is null) <> (activity_id is null))
);
-- A file once on each record or activity: an attachment that is sent again is the same.
create unique index attachments_record on attachments (org, obj, record_id, file_id) where record_id is not null;
create unique index attachments_activity on attachments (org, activity_id, file_id) where activity_id is not null;
create index attachments_file on attachments (org, file_id);

-- One picture at most of each record: a face, a logo.
create table record_pictures (
  org int not null references organizations (org) on delete cascade,
  obj int not null,
  record_id uuid not null,
  file_id uuid not null,
  primary key (org, obj, record_id),
  foreign key (org, obj, record_id) references records on delete cascade,
  foreign key (org, file_id) references files
);
create index record_pictures_file on record_pictures (org, file_id);
create index record_pictures_record on record_pictures (org, record_id);

-- Files that people put to records and activities, and pictures of records and users.
create table attachments (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  -- Either a record or an activity; with it the attachment goes.
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
-- A file once on each thing: an attachment that is sent again is the same.
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

-- The file that `image` is the address of, so that it is not swept. No reference: it may go with its organization.
alter table users add column image_file uuid;
create index users_image on users (image_file) where image_file is not null;

-- Since when nothing is known to use the file: only of files that the dashboard uploaded itself.
alter table files add column unused_since timestamptz;
create index files_unused on files (unused_since) where unused_since is not null;
create index files_dashboard on files (org, id) where bucket = 'dashboard-uploads' and state = 'stored';

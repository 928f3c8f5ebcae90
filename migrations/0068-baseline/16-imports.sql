-- CSV files that the dashboard imports, and how far each import came.
create table imports (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  obj int not null,
  -- uploading: the file is not complete yet, and no list shows the import.
  state text not null default 'uploading' check (state in
    ('uploading', 'uploaded', 'checking', 'checked', 'running', 'completed', 'failed', 'cancelled')),
  file_name text not null,
  bytes bigint not null default 0,
  encoding text,
  delimiter text,
  rows int not null default 0,
  columns jsonb not null default '[]',
  preview jsonb not null default '[]',
  -- What was asked for with the last check: {mapping, matchOn, format}.
  settings jsonb,
  -- Counted up by every start, so that a job that outlived its own start does nothing any more.
  generation int not null default 0,
  -- Progress of the check or the run; each batch moves it in the transaction that writes its records.
  rows_done int not null default 0,
  created int not null default 0,
  updated int not null default 0,
  failed int not null default 0,
  -- First problems found by the check that is running.
  problems jsonb not null default '[]',
  -- What the last complete check came to.
  check_result jsonb,
  error text,
  -- Tries that ended in an unexpected error since the last batch.
  tries int not null default 0,
  created_by uuid not null references users,
  started_at timestamptz,
  finished_at timestamptz,
  file_removed_at timestamptz,
  -- Equal problems of the check that is running, counted over all rows: {groups, more}.
  problem_groups jsonb not null default '{"groups": [], "more": 0}',
  -- Records of other objects that the check would create, or the run has created: {objectId, created, names} for each.
  related jsonb not null default '[]',
  undone_at timestamptz,
  primary key (org, id),
  foreign key (org, obj) references objects on delete cascade
);
create index imports_object on imports (org, obj, id);
create index imports_kept on imports (id) where file_removed_at is null;

-- The file as it came, in pieces: several nodes serve one database, and none of them holds a file whole.
create table import_chunks (
  org int not null,
  import uuid not null,
  place int not null,
  bytes bytea not null,
  primary key (org, import, place),
  foreign key (org, import) references imports on delete cascade
);

create table import_failures (
  org int not null,
  import uuid not null,
  row int not null,
  line int not null,
  error text not null,
  cells jsonb not null,
  primary key (org, import, row),
  foreign key (org, import) references imports on delete cascade
);

-- Unique values as they would be after the rows checked so far; a holder of null has released its value.
create table import_claims (
  org int not null,
  import uuid not null,
  attr int not null,
  value text collate "C" not null,
  holder uuid,
  -- Of the row that would make the holder.
  line int,
  primary key (org, import, attr, value),
  foreign key (org, import) references imports on delete cascade
);
create index import_claims_holder on import_claims (org, import, holder);

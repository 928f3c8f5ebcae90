-- Jobs of the API: work on many records of an object in the background.
create table record_jobs (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  obj int not null,
  type text not null check (type in ('import', 'update', 'delete', 'export')),
  status text not null check (status in
    ('awaiting_upload', 'queued', 'running', 'completed', 'cancelled', 'failed')),
  -- What was asked for, by its type.
  settings jsonb not null,
  -- Bytes of the file, and line breaks in them: of an import those that have arrived, of an export those that were written.
  bytes bigint not null default 0,
  breaks bigint not null default 0,
  -- Rows of the job, as far as they are known.
  total bigint,
  -- Where the next batch begins; each batch moves it in the transaction that writes its records. Of a file, how many bytes
  -- and lines were read; of records, the id of the last one.
  read_bytes bigint not null default 0,
  read_lines bigint not null default 0,
  last_id uuid,
  -- Records with higher ids were created after the job, which leaves them.
  until_id uuid,
  created bigint not null default 0,
  updated bigint not null default 0,
  skipped bigint not null default 0,
  deleted bigint not null default 0,
  exported bigint not null default 0,
  failed bigint not null default 0,
  error text,
  -- Tries that ended in an unexpected error since the last batch.
  tries int not null default 0,
  created_by uuid not null references users,
  api_key uuid,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  primary key (org, id),
  foreign key (org, obj) references objects on delete cascade
);
-- What the worker looks for: for how many organizations jobs wait.
create index record_jobs_open on record_jobs (org) where status in ('queued', 'running');

-- The file of an import, as it came, and that of an export: each piece with the offset at which it begins.
create table record_job_chunks (
  org int not null,
  job uuid not null,
  starts_at bigint not null,
  bytes bytea not null,
  primary key (org, job, starts_at),
  foreign key (org, job) references record_jobs on delete cascade
);

-- What became of each row: the results of a batch as lines of JSON, with the first line or place of the batch.
create table record_job_results (
  org int not null,
  job uuid not null,
  starts_at bigint not null,
  results text not null,
  primary key (org, job, starts_at),
  foreign key (org, job) references record_jobs on delete cascade
);

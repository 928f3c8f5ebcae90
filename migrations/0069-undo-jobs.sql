-- Everything that a change set, an import, a workflow run or an API key did is listed, and undone by a job.

-- What a workflow run wrote. Other writes have no entry.
create index events_run on events (org, run, id) where run is not null;

create table undo_jobs (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('changeSet', 'import', 'workflowRun', 'apiKey')),
  -- The change set, import, workflow run or API key.
  source uuid not null,
  -- Its changes are those from this event on, and before the position: it walks backward by (org, id). The changes of a
  -- change set are the batches that are left of it.
  first_event uuid not null,
  position uuid not null,
  -- Of the changes of an API key.
  from_at timestamptz,
  to_at timestamptz,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'completed', 'cancelled', 'failed')),
  -- Changes when it began.
  created int not null,
  updated int not null,
  deleted int not null,
  -- Changes of activities, which are not undone.
  others int not null,
  -- How many changes it has looked at, and what came of it.
  done int not null default 0,
  restored int not null default 0,
  trashed int not null default 0,
  returned int not null default 0,
  error text,
  -- Tries that ended in an unexpected error since the last batch.
  tries int not null default 0,
  created_by uuid not null references users,
  api_key uuid,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (org, id)
);

-- What undo jobs left as it is. The values are in the events and the records.
create table undo_conflicts (
  org int not null,
  job uuid not null,
  id uuid not null default uuidv7(),
  obj int not null,
  event uuid not null,
  record uuid not null,
  version int not null,
  -- '': the whole record.
  slug text not null,
  code text not null,
  other uuid,
  primary key (org, job, id),
  foreign key (org, job) references undo_jobs on delete cascade
);
-- A value that was changed several times is listed once, with its first change.
create unique index undo_conflicts_value on undo_conflicts (org, job, record, slug);

-- Erasures of records: who asked, when, and how much was removed. No value of a record is in it (server/privacy).
create table privacy_requests (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  kind text not null check (kind in ('archive', 'erasure')),
  -- retention: by the rule of the object, in no one's name.
  reason text not null default 'request' check (reason in ('request', 'retention')),
  obj int not null,
  object_id uuid not null,
  record_ids uuid[] not null,
  state text not null default 'running' check (state in ('running', 'completed', 'failed')),
  -- Why it failed; what it waits for.
  problem text,
  waits_for text,
  created_by uuid,
  api_key uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- How many rows were removed, by kind.
  counts jsonb not null default '{}',
  -- Of an erasure that runs: its place in erase/steps.ts, and in that step.
  step int not null default 0,
  place text,
  -- Records that were merged, activities and workflow runs: their events are erased.
  subjects uuid[] not null default '{}',
  -- Files that had no other use.
  files uuid[] not null default '{}',
  -- Sealed JSON: values by which copies are found. None once it has ended.
  markers bytea,
  -- Tries that ended in an unexpected error since it last went on.
  tries int not null default 0,
  primary key (org, id)
);
create index privacy_requests_record on privacy_requests using gin (record_ids);

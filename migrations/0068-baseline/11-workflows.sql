-- Workflows: definitions by version, runs that survive a crash, and their history.
create table workflows (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  name text not null,
  description text not null default '',
  is_enabled boolean not null default false,
  -- The current one of workflow_versions; what follows is read off it.
  version int not null default 1,
  trigger text not null,
  -- The object it is about; null: none, or one that does not exist
  obj int,
  -- record/updated: when one of these changed; null: always
  watch text[],
  -- Of an enabled schedule; infinity: none
  next_at timestamptz not null default 'infinity',
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Disabled, and its open runs wait until it is enabled.
  is_paused boolean not null default false,
  -- Runs with an id up to this one are not executed any more: they are being cancelled, or were. The greatest id while the
  -- workflow is disabled, so that runs that were just being created are included.
  cancelled_to uuid not null default '00000000-0000-0000-0000-000000000000',
  primary key (org, id)
);
create unique index workflows_name on workflows (org, name);
create index workflows_due on workflows (next_at) where next_at < 'infinity';
create index workflows_triggered on workflows (org, trigger) where is_enabled;

-- A run follows the version it began with; rows are never changed.
create table workflow_versions (
  org int not null,
  workflow uuid not null,
  version int not null,
  definition jsonb not null,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org, workflow, version),
  foreign key (org, workflow) references workflows on delete cascade
);

create table workflow_runs (
  org int not null,
  id uuid not null,
  workflow uuid not null,
  version int not null,
  status text not null default 'queued'
    check (status in ('queued', 'running', 'waiting', 'completed', 'failed', 'cancelled')),
  title text not null,
  trigger_event text not null,
  -- Runs of one lane take turns; null: it waits for no other.
  lane text,
  -- The limit of runs of the lane at the same time; without a lane, of runs of the workflow.
  lane_limit int not null default 1,
  -- The record or activity it is about
  subject uuid,
  -- What {{trigger}} is
  input jsonb not null,
  -- Where it is (interpreter/state.ts), without its values
  position jsonb not null default '[{"index": 0}]',
  executed int not null default 0,
  tries int not null default 0,
  wake_at timestamptz,
  cause_event uuid,
  cause_run uuid,
  depth int not null default 0,
  -- [{workflow, subject}] of the runs that led to it
  chain jsonb not null default '[]',
  retry_of uuid,
  started_by uuid,
  -- When a worker may take it; while one has it, when its lease ends. infinity: it waits for its lane
  due_at timestamptz not null default now(),
  -- Counted up by every lease: what an earlier holder still writes is refused.
  fence bigint not null default 0,
  failure text,
  error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  completed_at timestamptz,
  -- Of a retry: the run that was retried first. What leaves the service has its id, so that receivers recognize it.
  first_run uuid,
  -- The user who cancelled it; null: it was not cancelled by a person.
  cancelled_by uuid,
  primary key (org, id),
  foreign key (org, workflow) references workflows on delete cascade
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);
create index workflow_runs_list on workflow_runs (org, workflow, id);
create index workflow_runs_due on workflow_runs (org, due_at) where status in ('queued', 'running', 'waiting');
create index workflow_runs_lane on workflow_runs (org, workflow, lane, id)
  where status in ('queued', 'running', 'waiting');
create trigger older_writers before insert or update on workflow_runs
  for each statement execute function refuse_older_writers();

-- What the steps of a run know, until it ends.
create table workflow_run_values (
  org int not null,
  run uuid not null,
  key text not null,
  value jsonb not null,
  primary key (org, run, key),
  foreign key (org, run) references workflow_runs on delete cascade
);

create table workflow_run_steps (
  org int not null,
  run uuid not null,
  place int not null,
  path text not null,
  key text not null,
  type text not null,
  status text not null check (status in ('running', 'waiting', 'completed', 'failed', 'skipped')),
  attempts int not null,
  started_at timestamptz not null,
  duration_ms real,
  resume_at timestamptz,
  input jsonb,
  output jsonb,
  error text,
  primary key (org, run, place),
  foreign key (org, run) references workflow_runs on delete cascade
);

-- Cancels all open runs of a workflow, in batches (server/workflows/cancellations).
create table run_cancellations (
  org int not null,
  id uuid not null,
  workflow uuid not null,
  -- Runs with ids between these two. Earlier ones belong to a cancellation that had not ended, or are cancelled.
  after_run uuid not null,
  up_to_run uuid not null,
  -- Open runs when it began.
  total int not null,
  cancelled int not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  completed_at timestamptz,
  primary key (org, id),
  foreign key (org, workflow) references workflows on delete cascade
);
create index run_cancellations_list on run_cancellations (org, workflow, id);

-- Which member a step "Choose next member" of a workflow has chosen last.
create table member_turns (
  org int not null,
  workflow uuid not null,
  -- Of the step in the definition: steps[0]
  path text not null,
  last_user uuid,
  primary key (org, workflow, path),
  foreign key (org, workflow) references workflows (org, id) on delete cascade
);

-- What HTTP requests of workflows may use by name. Sealed.
create table workflow_secrets (
  org int not null references organizations (org) on delete cascade,
  name text not null,
  value bytea not null,
  updated_by uuid,
  updated_at timestamptz not null default now(),
  primary key (org, name)
);

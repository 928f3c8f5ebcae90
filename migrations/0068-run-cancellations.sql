-- Switching a workflow off also stops its open runs: they wait until it is enabled, or are cancelled in the background.

-- A worker that executes a run reads both; constant defaults rewrite no row.
alter table workflows
  -- Disabled, and its open runs wait until it is enabled.
  add column is_paused boolean not null default false,
  -- Runs with an id up to this one are not executed any more: they are being cancelled, or were. The greatest id while the
  -- workflow is disabled, so that runs that were just being created are included.
  add column cancelled_to uuid not null default '00000000-0000-0000-0000-000000000000';

-- The user who cancelled it; null: it was not cancelled by a person.
alter table workflow_runs add column cancelled_by uuid;

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

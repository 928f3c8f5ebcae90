-- One row per change, written in its transaction: outbox, history and change log in one.
-- Partitioned by the day in the UUIDv7, so that old days are dropped whole.

-- Transaction ids belong to a cluster: in another one, where a dump was restored, they begin again. There `ahead` is
-- added to them (current_event_order has it), so that what is written continues behind what was restored.
create table event_clock (
  is_only boolean primary key default true check (is_only),
  -- system_identifier of the cluster the events were last written in
  cluster bigint not null,
  ahead bigint not null default 0 check (ahead >= 0)
);
insert into event_clock (cluster) select system_identifier from pg_control_system();

-- The place in the feed of what this transaction writes: its id, with `ahead`. server/events/clock.ts replaces the body
-- when that changes.
create function current_event_order() returns xid8 language sql stable as 'select pg_current_xact_id()';

create table events (
  org int not null,
  id uuid not null,
  type text not null,
  -- The object of a record event.
  obj int,
  -- The record, activity or run that changed.
  subject uuid not null,
  actor uuid,
  api_key uuid,
  -- The whole record or activity after the change; the last state on delete.
  data jsonb not null,
  -- {slug: {from, to}} of a record's update.
  changes jsonb,
  -- The transaction that wrote the event. A reader that goes by (tx, id), and stops below the oldest transaction
  -- still open, skips nothing that commits late.
  tx xid8 not null default current_event_order(),
  -- The workflow run whose step made the change: by it a chain of workflows that start each other is seen.
  run uuid,
  -- Of the record or activity.
  version int,
  -- Events of erased records and activities stay, without values.
  is_erased boolean not null default false,
  -- The event whose change this one took back: its earlier values were restored.
  restores uuid,
  -- Of the update by which records were merged into this one.
  merged_ids uuid[],
  -- Of the run: runs are deleted before events.
  workflow uuid,
  primary key (org, id)
) partition by range (id);
create index events_subject on events (org, subject, id);
-- By type, so that a reader of a rare type does not pass by everything else; a reader of every type merges eight.
create index events_feed on events (org, type, tx, id);
-- Takes what no day's partition covers, so that a write never fails for want of one.
create table events_other partition of events default;

-- Whether anything waits for an organization's events: without a listener no marker is written.
create table event_listeners (
  org int not null references organizations (org) on delete cascade,
  listener text not null,
  primary key (org, listener)
);

-- A marker for each statement that wrote events, removed by the transaction that hands them on.
create table event_pending (
  org int not null,
  id bigint generated always as identity,
  events uuid[] not null,
  created_at timestamptz not null default now(),
  -- Each reader has its own markers: one that cannot go on does not hold up another.
  reader text not null default 'webhooks',
  primary key (reader, org, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create trigger older_writers before delete on event_pending
  for each statement execute function refuse_older_writers();

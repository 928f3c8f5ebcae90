-- Webhooks that Svix delivers in place of the service: whom it knows, and what it is still to be given.

-- One row per organization that has an application at Svix: whoever holds its lease hands its messages on, one after
-- the other, so that one that Svix refuses for a while delays only itself.
create table svix_applications (
  org int primary key references organizations (org) on delete cascade,
  -- When its next message is to be handed on; infinity: none waits.
  due_at timestamptz not null default 'infinity',
  leased_until timestamptz not null default '-infinity',
  -- Counted up by every lease: what an earlier holder still writes is refused.
  fence bigint not null default 0,
  created_at timestamptz not null default now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index svix_applications_due on svix_applications (due_at);

-- Gone once Svix has it.
create table svix_messages (
  org int not null references svix_applications (org) on delete cascade,
  event uuid not null,
  type text not null,
  body text not null,
  -- How often Svix did not take it.
  tries int not null default 0,
  give_up_at timestamptz not null,
  -- Svix refused it for good, or its time was over: kept for the operator as long as events are.
  stopped_at timestamptz,
  last_status int,
  last_problem text,
  primary key (org, event)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index svix_messages_waiting on svix_messages (org, event) where stopped_at is null;
create index svix_messages_stopped on svix_messages (stopped_at) where stopped_at is not null;

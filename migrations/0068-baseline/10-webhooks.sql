-- Endpoints of webhooks, and their deliveries.
create table webhook_endpoints (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  url text not null,
  description text not null,
  -- null: every type
  event_types text[],
  -- Only record events of these objects; null: of every object
  objs int[],
  -- record.updated only when one of these changed; null: always
  changed_attributes text[],
  -- Sealed JSON [{name, value}]: values are often credentials of the receiver.
  headers bytea,
  -- Requests per second
  rate_limit int check (rate_limit > 0),
  is_enabled boolean not null default true,
  disabled_reason text check (disabled_reason in ('manual', 'gone', 'failing')),
  disabled_at timestamptz,
  -- Sealed; the previous one signs too, until it expires.
  secret bytea not null,
  previous_secret bytea,
  previous_secret_until timestamptz,
  -- Of the first attempt that failed since the last that did not.
  failing_since timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org, id),
  check (is_enabled = (disabled_reason is null))
);

-- One row per endpoint: the holder of its lease sends its deliveries, so that a slow one delays only itself.
create table webhook_lanes (
  org int not null,
  endpoint uuid not null,
  -- When its next delivery is due; infinity: none is, or it is disabled.
  due_at timestamptz not null default 'infinity',
  -- Nothing is sent before: the receiver asked for a pause.
  not_before timestamptz not null default '-infinity',
  leased_until timestamptz not null default '-infinity',
  -- Counted up by every lease: what an earlier holder still writes is refused.
  fence bigint not null default 0,
  -- Concurrent requests: halved when the receiver is overwhelmed, grown again by each success.
  concurrency int not null default 10,
  primary key (org, endpoint),
  foreign key (org, endpoint) references webhook_endpoints on delete cascade
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index webhook_lanes_due on webhook_lanes (due_at);
create trigger older_writers before update on webhook_lanes
  for each statement execute function refuse_older_writers();

-- The exact text that is signed and sent, the same for every endpoint and every try. Like deliveries and attempts
-- it is in a partition per day of the event, dropped whole with the events of that day.
create table webhook_messages (
  org int not null,
  event uuid not null,
  type text not null,
  body text not null,
  primary key (org, event)
) partition by range (event);
create table webhook_messages_other partition of webhook_messages default;

create table webhook_deliveries (
  org int not null,
  endpoint uuid not null,
  event uuid not null,
  type text not null,
  state text not null default 'pending' check (state in ('pending', 'succeeded', 'failed', 'cancelled')),
  trigger text not null check (trigger in ('event', 'replay', 'test')),
  -- Attempts so far, and how many of them since it was last restarted: the schedule goes by the second.
  attempts int not null default 0,
  tries int not null default 0,
  next_attempt_at timestamptz,
  give_up_at timestamptz not null,
  created_at timestamptz not null default now(),
  -- Of the last attempt
  last_attempt_at timestamptz,
  last_status int,
  last_failure text,
  last_duration_ms int,
  primary key (org, endpoint, event)
) partition by range (event);
create table webhook_deliveries_other partition of webhook_deliveries default;
create index webhook_deliveries_due on webhook_deliveries (org, endpoint, next_attempt_at) where state = 'pending';
-- Deliveries that did not end well are looked for among many that did: the list by state, and replays. One whose first
-- attempt succeeds is never in it.
create index webhook_deliveries_failed on webhook_deliveries (org, endpoint, state, event)
  where state in ('failed', 'cancelled');

create table webhook_attempts (
  org int not null,
  endpoint uuid not null,
  event uuid not null,
  attempt int not null,
  trigger text not null,
  started_at timestamptz not null,
  url text not null,
  -- Values of the endpoint's own headers are not kept.
  request_headers json not null,
  ip text,
  status int,
  response_headers json,
  response_body bytea,
  is_truncated boolean not null default false,
  -- contract/webhook-failures.ts, and the same in words
  failure text,
  message text,
  dns_ms real,
  connect_ms real,
  tls_ms real,
  first_byte_ms real,
  duration_ms real not null,
  primary key (org, endpoint, event, attempt)
) partition by range (event);
create table webhook_attempts_other partition of webhook_attempts default;

-- Attempts per hour, for the charts of the portal.
create table webhook_hours (
  org int not null,
  endpoint uuid not null,
  hour timestamptz not null,
  succeeded int not null,
  failed int not null,
  -- How many took as long as each step of contract/webhook-failures.ts LATENCY_STEPS_MS
  latency int[] not null,
  primary key (org, endpoint, hour),
  foreign key (org, endpoint) references webhook_endpoints on delete cascade
);

-- Deliveries restarted in the background: all that failed since a time, or all that never were made.
create table webhook_replays (
  org int not null,
  id uuid not null,
  endpoint uuid not null,
  kind text not null check (kind in ('failed', 'missing')),
  since timestamptz not null,
  until timestamptz not null,
  state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  -- Of the event up to which it came.
  position uuid not null,
  replayed int not null default 0,
  created_by uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (org, id),
  foreign key (org, endpoint) references webhook_endpoints on delete cascade
);
create index webhook_replays_endpoint on webhook_replays (org, endpoint, id);

-- Links to the portal, and the sessions they are exchanged for: kept as hashes.
create table portal_tokens (
  hash bytea primary key,
  org int not null references organizations (org) on delete cascade,
  kind text not null check (kind in ('link', 'session')),
  -- Whose key asked for the link, or who was signed in: without them the token is worth nothing.
  api_key uuid,
  user_id uuid not null,
  expires_at timestamptz not null
);
create index portal_tokens_expiry on portal_tokens (expires_at);

-- Webhooks that Svix delivers in place of the service: one row per organization that has an application at Svix. The
-- holder of its lease hands its messages on, one after the other, so that one that Svix refuses for a while delays only
-- itself.
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
create trigger older_writers before update on svix_applications
  for each statement execute function refuse_older_writers();

-- Removed once Svix has it.
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

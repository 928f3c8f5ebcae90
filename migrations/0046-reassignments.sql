-- What a member owns or has to do is given to another member, or to no one, by background work (server/reassignments).
create table reassignments (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  from_user uuid not null references users (id),
  -- null: the values are cleared
  to_user uuid references users (id),
  created_by uuid not null references users (id),
  state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  -- Values and tasks there were when it began.
  total int not null,
  changed int not null default 0,
  -- Values and tasks that could not be changed, and the first reason.
  failed int not null default 0,
  problem text,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (org, id)
);

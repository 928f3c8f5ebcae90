-- Saved views. Those of a deleted object are not shown, and are deleted with its row.
create table views (
  org int not null,
  id uuid not null,
  obj int not null,
  name text not null,
  kind text not null check (kind in ('table', 'board')),
  is_shared boolean not null,
  -- contract/views.ts ViewState
  state jsonb not null,
  created_by uuid not null references users,
  updated_at timestamptz not null default now(),
  primary key (org, id),
  foreign key (org, obj) references objects on delete cascade
);
create index views_object on views (org, obj, created_by);

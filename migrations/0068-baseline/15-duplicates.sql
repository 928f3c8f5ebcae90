-- Duplicate rules follow from the attributes of an object: here are those that were switched.
create table duplicate_rules (
  org int not null,
  obj int not null,
  -- same_email.email
  rule text not null,
  is_active boolean not null,
  primary key (org, obj, rule),
  foreign key (org, obj) references objects on delete cascade
);

-- The last search for duplicates in an object.
create table duplicate_searches (
  org int not null,
  obj int not null,
  id uuid not null,
  state text not null default 'running' check (state in ('running', 'completed', 'cancelled')),
  seen bigint not null default 0,
  total bigint not null,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- When the groups were found, by the last one that was completed.
  found_at timestamptz,
  primary key (org, obj),
  foreign key (org, obj) references objects on delete cascade
);

-- Records that are probably the same. A search replaces those that are not dismissed.
create table duplicate_groups (
  org int not null,
  obj int not null,
  id uuid not null,
  records uuid[] not null,
  rules text[] not null,
  found_at timestamptz not null default clock_timestamp(),
  dismissed_at timestamptz,
  dismissed_by uuid,
  primary key (org, id),
  foreign key (org, obj) references objects on delete cascade
);
create index duplicate_groups_object on duplicate_groups (org, obj, (dismissed_at is null), cardinality(rules) desc, id);

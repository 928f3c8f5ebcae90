-- Files of organizations. The row is the truth: what lies in the store without a stored row is nobody's, and is swept.
create table files (
  -- No reference to organizations: by the row its bytes are found after the organization is gone.
  org int not null,
  id uuid not null,
  bucket text not null,
  path text collate "C" not null,
  -- Where the bytes lie: <organization's id>/<bucket>/<id>. Nothing that a caller named becomes a part of it.
  key text not null,
  -- What makes the public address one that cannot be guessed. Plain, since records hold such addresses in plain too.
  token text not null unique,
  state text not null default 'waiting' check (state in ('waiting', 'stored')),
  size bigint,
  content_type text,
  -- The store's own validator of the bytes; null where the store has none.
  etag text,
  created_by uuid,
  created_at timestamptz not null default now(),
  -- When the last signed address for it ends.
  expires_at timestamptz not null,
  -- When a store that takes uploads by itself was last asked whether it has the file.
  checked_at timestamptz,
  stored_at timestamptz,
  primary key (org, id),
  unique (org, bucket, path),
  check (state = 'waiting' or (size is not null and content_type is not null and stored_at is not null))
);
create index files_waiting on files (expires_at) where state = 'waiting';

-- How much is stored, kept with each change of it: one row to lock, and no sum over a million files.
create table file_usage (
  org int primary key,
  files int not null,
  bytes bigint not null
);

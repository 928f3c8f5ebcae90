-- What members write to each other about a record. They stay with it while it is in the trash.
create table comments (
  org int not null references organizations (org) on delete cascade,
  id uuid not null,
  obj int not null,
  record_id uuid not null,
  -- Plain text; <@user id> mentions a member.
  text text not null,
  -- The users that the text mentions, in its order.
  mentions uuid[] not null,
  author uuid not null references users (id),
  api_key uuid,
  edited_at timestamptz,
  primary key (org, id)
);
create index comments_record on comments (org, record_id, id);

alter table merge_changes drop constraint merge_changes_kind_check;
alter table merge_changes add constraint merge_changes_kind_check
  check (kind in ('reference', 'activity', 'file', 'picture', 'comment'));

-- Objects that were deleted: their rows go when their records have gone, what events say of them stays. Of those that
-- went before this, the ids are not known any more.
create table deleted_objects (
  org int not null references organizations (org) on delete cascade,
  obj int not null,
  id uuid not null,
  -- Who deleted it: in that name its records go.
  actor uuid,
  api_key uuid,
  primary key (org, obj)
);
insert into deleted_objects (org, obj, id) select org, obj, id from objects where deleted_at is not null;

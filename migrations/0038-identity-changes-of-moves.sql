-- While an organization moves, changes of its members and keys are noted for the cell it moves to as well: a member who
-- is removed during the copy is removed there too.
create or replace function note_identity_change() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name = 'organizations' then
    insert into identity_changes (cell, kind, id)
    select c.cell, 'organization', changed.id from (values (changed.cell), (changed.moving_to)) as c (cell)
    where c.cell > 0;
  elsif tg_table_name = 'members' then
    insert into identity_changes (cell, kind, id)
    select c.cell, 'member', changed.id
    from organizations o cross join lateral (values (o.cell), (o.moving_to)) as c (cell)
    where o.id = changed.organization_id and c.cell > 0;
  elsif tg_table_name = 'users' then
    -- For every cell: it may have the user as a former member, and a membership may be committed at this moment.
    insert into identity_changes (cell, kind, id) select cell, 'user', changed.id from cells;
  else
    insert into identity_changes (cell, kind, id)
    select c.cell, 'key', changed.id
    from organizations o cross join lateral (values (o.cell), (o.moving_to)) as c (cell)
    where o.org = changed.org and c.cell > 0;
  end if;
  return null;
end $$;

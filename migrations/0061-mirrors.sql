-- What a copy of the records needs that is made from events: eight event types, and an event for each record that a
-- change of the model changes.

-- Attributes that are deleted or switched off or on: each record that has a value gets a version and an event in the
-- background (server/attributes/shown-store.ts ShownChange); null: none is left to do.
alter table attributes add column shown_change jsonb;
-- When the change was found committed; infinity: not yet.
alter table attributes add column shown_change_at timestamptz;
create index attributes_shown_change on attributes (org, attr) where shown_change is not null;

-- The event types are the eight of the specification: a restored record is record.created with its next version, and a
-- merge is record.updated of the winner with the ids of the losers.

-- Of the update by which records were merged into this one.
alter table events add column merged_ids uuid[];

-- By organization, so that the index events_feed finds events. First the organizations of this database; then those
-- that are being moved and that no one may change, where the guard of the move (server/cells/move/guard.ts) lets only
-- the mover write: source and copy become the same.
do $$
declare
  is_guarded boolean;
begin
  foreach is_guarded in array array[false, true] loop
    perform set_config('rapport.mover', case when is_guarded then 'on' else '' end, true);

    create temporary table chosen on commit drop as
      select o.org from organizations o
      where is_guarded = exists (
        select from organization_moves m where m.org = o.org and m.state in ('closed', 'left', 'hidden'));

    -- No workflow was to start for them, and none is when they have the types that triggers name.
    update event_pending p set events = array(
        select id from unnest(p.events) with ordinality as e (id, place) where id <> all (gone.ids) order by place)
    from (
      select e.org, array_agg(e.id) as ids from events e join chosen c on c.org = e.org
      where e.type in ('record.restored', 'record.merged') group by e.org) as gone
    where p.org = gone.org and p.reader = 'workflows' and p.events && gone.ids;

    update events e set type = 'record.created' from chosen c
    where e.org = c.org and e.type = 'record.restored';

    update events e set type = 'record.updated', merged_ids = array(
        select id::uuid from jsonb_array_elements_text(e.changes->'mergedIds') with ordinality as m(id, place) order by place),
      changes = '{}'
    from chosen c where e.org = c.org and e.type = 'record.merged';

    -- Endpoints that have chosen these types get what has taken their place. Comments are not sent any more: an endpoint
    -- that has chosen nothing else gets nothing.
    update webhook_endpoints w set event_types = array(
        select t.type from (
          select distinct case chosen_type when 'record.restored' then 'record.created'
            when 'record.merged' then 'record.updated' else chosen_type end as type
          from unnest(w.event_types) as chosen_type) as t
        where t.type not like 'comment.%' order by t.type)
    from chosen c
    where w.org = c.org
      and w.event_types && array['record.restored', 'record.merged', 'comment.created', 'comment.updated', 'comment.deleted'];

    drop table chosen;
  end loop;
  perform set_config('rapport.mover', '', true);
end $$;

-- An invitation is worth what its maker may give now: those of former members and of members without the right end.
update invitations i set cancelled_at = now()
where i.accepted_at is null and i.cancelled_at is null and not exists (
  select from members m where m.organization_id = i.organization_id and m.user_id = i.inviter_id
    and (m.role = 'owner' or (m.role = 'admin' and i.role <> 'owner')));

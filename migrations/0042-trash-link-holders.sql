-- What was deleted from a list, by the record or activity that has the list: places count all of it.
create index trash_links_holder on trash_links (org, id, attr);

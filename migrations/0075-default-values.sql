-- What a new record gets of an attribute that it does not name, in canonical form; null: nothing.
alter table attributes add column default_value jsonb;

/** What records are sorted by: a slug, or a part of the values of an attribute, such as `name.lastName`. */
export const SORT_FIELD_PATTERN = '^[a-z][a-z0-9_]{0,62}(\\.[A-Za-z0-9]{1,30})?$'

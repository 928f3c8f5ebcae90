// Types of attributes, without their schemas: the dashboard reads this at run time.

/** In the order of the specification's type table. */
export const ATTRIBUTE_TYPES = [
  'text',
  'email',
  'number',
  'phone_number',
  'checkbox',
  'name',
  'address',
  'currency',
  'date',
  'select',
  'list',
  'reference',
] as const
export type AttributeType = (typeof ATTRIBUTE_TYPES)[number]

export const SLUG_PATTERN = '^[a-z][a-z0-9_]{0,62}$'

/** Types that cannot be unique (decisions, section 5). */
export const NEVER_UNIQUE: readonly AttributeType[] = ['checkbox', 'address', 'currency', 'list']

/** Types by whose attributes records can be grouped, unless they are lists. */
export const GROUPABLE: ReadonlySet<AttributeType> = new Set(['select', 'checkbox', 'reference', 'date'])

/** Types whose attributes can be added up, unless they are lists. */
export const SUMMABLE: ReadonlySet<AttributeType> = new Set(['currency', 'number'])

/** Types whose attributes records can be sorted by, unless they are lists. */
export const SORTABLE: ReadonlySet<AttributeType> = new Set([
  'text',
  'email',
  'number',
  'phone_number',
  'checkbox',
  'name',
  'currency',
  'date',
  'select',
])

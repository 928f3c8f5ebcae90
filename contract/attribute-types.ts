// Attribute types, one file for each. They have no TypeBox schemas, because the dashboard loads this at run time.
import { address } from './attribute-types/address.ts'
import { checkbox } from './attribute-types/checkbox.ts'
import { currency } from './attribute-types/currency.ts'
import { date } from './attribute-types/date.ts'
import { domain } from './attribute-types/domain.ts'
import { email } from './attribute-types/email.ts'
import { list } from './attribute-types/list.ts'
import { member } from './attribute-types/member.ts'
import { name } from './attribute-types/name.ts'
import { number } from './attribute-types/number.ts'
import { phoneNumber } from './attribute-types/phone-number.ts'
import { reference } from './attribute-types/reference.ts'
import { select } from './attribute-types/select.ts'
import { text } from './attribute-types/text.ts'
import type { TypeContract } from './attribute-types/type-contract.ts'
import { url } from './attribute-types/url.ts'

/** In the order of the specification's type table; types beyond the specification are last. */
const types = {
  text,
  email,
  number,
  phone_number: phoneNumber,
  checkbox,
  name,
  address,
  currency,
  date,
  select,
  list,
  reference,
  url,
  member,
  domain,
} satisfies Record<string, TypeContract>

export type AttributeType = keyof typeof types
export const TYPE_CONTRACTS: Readonly<Record<AttributeType, TypeContract>> = types
export const ATTRIBUTE_TYPES = Object.keys(types) as AttributeType[]

export const SLUG_PATTERN = '^[a-z][a-z0-9_]{0,62}$'

const typesWhere = (is: (type: TypeContract) => boolean): ReadonlySet<AttributeType> =>
  new Set(ATTRIBUTE_TYPES.filter((type) => is(TYPE_CONTRACTS[type])))

export const NEVER_UNIQUE = typesWhere(({ canBeUnique }) => !canBeUnique)

/** Types of attributes that records can be grouped by, if the attribute is not a list. */
export const GROUPABLE = typesWhere(({ isGroupable }) => isGroupable)

/** Types of attributes that can be summed, if the attribute is not a list. */
export const SUMMABLE = typesWhere(({ isSummable }) => isSummable)

/** Types whose values are numbers or amounts with a currency. */
export const NUMBER_TYPES = typesWhere(({ kind }) => kind === 'number' || kind === 'amount')

/** Types whose values are ids, which pages and files show as names. */
export const ID_TYPES = typesWhere(({ kind }) => kind === 'id')

/** Types of attributes that records can be sorted by, if the attribute is not a list. */
export const SORTABLE = typesWhere(({ isSortable }) => isSortable)

// Formats addresses in the postal order of their country.
import { countryName } from './language.ts'

export interface Address {
  line1?: string
  line2?: string
  city?: string
  state?: string
  postalCode?: string
  country?: string
}

export type AddressPart = keyof Address

/** Countries that write "Helena, MT 59601". */
const STATE_THEN_CODE = new Set('AS AU BR CA CO GU IN KR MP MX MY PR TH TW UM US VI'.split(' '))
/** Countries that write "London SW1A 2AA". */
const CITY_THEN_CODE = new Set('BD GB GG HK ID IE IM JE JO JP LK LV MT NG NP NZ PH PK SG UA ZA'.split(' '))

type Order = 'state, code' | 'city, code' | 'code, city'

function orderOf(country: string | undefined): Order {
  const code = country?.toUpperCase() ?? ''
  if (STATE_THEN_CODE.has(code)) return 'state, code'
  return CITY_THEN_CODE.has(code) ? 'city, code' : 'code, city'
}

const PLACE: Readonly<Record<Order, readonly AddressPart[]>> = {
  'state, code': ['city', 'state', 'postalCode'],
  'city, code': ['city', 'postalCode', 'state'],
  'code, city': ['postalCode', 'city', 'state'],
}

/** The fields of an address, in the order of a form. */
export const addressParts = (country: string | undefined): readonly AddressPart[] => [
  'line1',
  'line2',
  ...PLACE[orderOf(country)],
]

const joined = (...parts: (string | undefined)[]) => parts.filter(Boolean).join(' ')

function placeOf({ city, state, postalCode, country }: Address): (string | undefined)[] {
  const order = orderOf(country)
  if (order === 'state, code') return [city, joined(state, postalCode)]
  return [order === 'city, code' ? joined(city, postalCode) : joined(postalCode, city), state]
}

export const formatAddress = (address: Address): string =>
  [address.line1, address.line2, ...placeOf(address), address.country && countryName(address.country)]
    .filter(Boolean)
    .join(', ')

/** For one short line, with the city first: "Helena, MT · 501 Summit Street". */
export function shortAddress(address: Address): string {
  const { line1, city, state } = address
  return city && line1 ? `${[city, state].filter(Boolean).join(', ')} · ${line1}` : formatAddress(address)
}

// The checks of a new organization, made before anything is written.

import currencies from 'currency-codes'
import countries from 'i18n-iso-countries/codes.json' with { type: 'json' }
import type { Problem } from '../../contract/errors.ts'
import { invalid } from '../base/errors.ts'
import { isName, NAME_MESSAGE, type NewPerson, personProblems } from './person.ts'

export interface OrganizationFields {
  name: string
  /** Derived from the name when absent. */
  slug?: string | undefined
  /** ISO 3166-1 alpha-2; US when absent. Telephone numbers without + are read as numbers of this country. */
  country?: string | undefined
  /** ISO 4217; USD when absent. */
  currency?: string | undefined
  /** IANA name; UTC when absent. */
  timeZone?: string | undefined
}

export interface OrganizationToCreate extends OrganizationFields {
  owner: NewPerson
}

const SLUG_MAX = 63
// Shorter than an id even with a suffix, so that no derived slug can look like one.
const DERIVED_SLUG_MAX = 28
const SLUG = /^[a-z0-9-]+$/

const isSlug = (text: string) =>
  text.length <= SLUG_MAX && SLUG.test(text) && !text.startsWith('-') && !text.endsWith('-')

const isIdShaped = (text: string) => text.length === 36 && text.split('-').length === 5

const isTimeZone = (text: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: text }))
  } catch {
    return false
  }
}

const isCountry = (text: string) => countries.some(([alpha2]) => alpha2 === text)
const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text) && currencies.code(text) !== undefined

/** `Müller & Söhne` → `muller-sohne`; a name without ASCII letters or digits → `organization`. */
export function organizationSlug(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
  const slug = words.join('-').slice(0, DERIVED_SLUG_MAX)
  return (slug.endsWith('-') ? slug.slice(0, -1) : slug) || 'organization'
}

type Field = keyof OrganizationFields
type Rule = [isGood: (text: string) => boolean, code: string, message: string]

export const TIME_ZONE_PROBLEM = ['invalid_time_zone', 'must be a time zone such as Europe/Paris'] as const

const RULES: Readonly<Record<Field, Rule>> = {
  name: [isName, 'invalid_length', NAME_MESSAGE],
  slug: [
    (text) => isSlug(text) && !isIdShaped(text),
    'invalid_slug',
    `must consist of lower-case letters, digits and hyphens, at most ${SLUG_MAX}`,
  ],
  country: [isCountry, 'invalid_country', 'must be a country code such as US'],
  currency: [isCurrency, 'invalid_currency', 'must be a currency code such as USD'],
  timeZone: [isTimeZone, ...TIME_ZONE_PROBLEM],
}
const FIELDS = Object.keys(RULES) as Field[]

/** The problems of the given fields. @param prefix of every path, such as `organization.` */
export function organizationProblems(fields: Partial<OrganizationFields>, prefix = ''): Problem[] {
  return FIELDS.flatMap((field) => {
    const text = fields[field]
    const [isGood, code, message] = RULES[field]
    return text === undefined || isGood(text) ? [] : [{ path: prefix + field, code, message }]
  })
}

export interface CheckedOrganization {
  name: string
  slug: string | undefined
  country: string
  currency: string
  timeZone: string
}

const withDefaults = ({
  name,
  slug,
  country,
  currency,
  timeZone,
}: OrganizationFields): CheckedOrganization => ({
  name: name.trim(),
  slug,
  country: country ?? 'US',
  currency: currency ?? 'USD',
  timeZone: timeZone ?? 'UTC',
})

/** The fields with their defaults. @throws AppError validation_error that names every problem */
export function checkOrganization(input: OrganizationFields): CheckedOrganization {
  const problems = organizationProblems(input)
  if (problems.length > 0) throw invalid('validation_error', problems)
  return withDefaults(input)
}

/** The input with its defaults. @throws AppError validation_error that names every problem */
export function checkNewOrganization(
  input: OrganizationToCreate,
): CheckedOrganization & { owner: NewPerson } {
  const { name, email, password } = input.owner
  const owner = { name: name.trim(), email: email.toLowerCase(), password }
  const problems = [...organizationProblems(input), ...personProblems(owner, 'owner.')]
  if (problems.length > 0) throw invalid('validation_error', problems)
  return { ...withDefaults(input), owner }
}

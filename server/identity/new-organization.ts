// What a new organization must be, checked before anything is written.

import currencies from 'currency-codes'
import countries from 'i18n-iso-countries'
import { IsEmail } from 'typebox/format'
import type { Problem } from '../../contract/errors.ts'
import { invalid } from '../errors.ts'

export interface NewOrganization {
  name: string
  /** Derived from the name when absent. */
  slug?: string | undefined
  owner: { name: string; email: string; password: string }
  /** ISO 3166-1 alpha-2; US when absent. Telephone numbers without + are read there. */
  country?: string | undefined
  /** ISO 4217; USD when absent. */
  currency?: string | undefined
  /** IANA name; UTC when absent. */
  timeZone?: string | undefined
}

export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128
const NAME_MAX = 200
const EMAIL_MAX = 254
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

const isCountry = (text: string) => /^[A-Z]{2}$/.test(text) && countries.isValid(text)
const isCurrency = (text: string) => /^[A-Z]{3}$/.test(text) && currencies.code(text) !== undefined
const isName = (text: string) => text.trim().length > 0 && text.length <= NAME_MAX && !text.includes('\0')

/** `Müller & Söhne` → `muller-sohne`; a name without a letter or digit of ASCII → `organization`. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((word) => word !== '')
  const slug = words.join('-').slice(0, DERIVED_SLUG_MAX)
  return (slug.endsWith('-') ? slug.slice(0, -1) : slug) || 'organization'
}

type Check = [path: string, isGood: boolean, code: string, message: string]

function checks(input: Required<NewOrganization>): Check[] {
  const { name, slug, owner, country, currency, timeZone } = input
  const nameMessage = `must be 1 to ${NAME_MAX} characters`
  return [
    ['name', isName(name), 'invalid_length', nameMessage],
    [
      'slug',
      slug === undefined || (isSlug(slug) && !isIdShaped(slug)),
      'invalid_slug',
      `must be lower-case letters, digits and hyphens, at most ${SLUG_MAX}`,
    ],
    ['owner.name', isName(owner.name), 'invalid_length', nameMessage],
    [
      'owner.email',
      owner.email.length <= EMAIL_MAX && IsEmail(owner.email),
      'invalid_email',
      'is not an e-mail address',
    ],
    [
      'owner.password',
      owner.password.length >= PASSWORD_MIN && owner.password.length <= PASSWORD_MAX,
      'invalid_length',
      `must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
    ],
    ['country', isCountry(country ?? ''), 'invalid_country', 'must be a country code such as US'],
    ['currency', isCurrency(currency ?? ''), 'invalid_currency', 'must be a currency code such as USD'],
    ['timeZone', isTimeZone(timeZone ?? ''), 'invalid_time_zone', 'must be a time zone such as Europe/Paris'],
  ]
}

export type CheckedOrganization = NewOrganization & { country: string; currency: string; timeZone: string }

/** The input with its defaults. @throws AppError validation_error naming everything wrong */
export function checkNewOrganization(input: NewOrganization): CheckedOrganization {
  const organization = {
    ...input,
    name: input.name.trim(),
    slug: input.slug,
    owner: { ...input.owner, name: input.owner.name.trim(), email: input.owner.email.toLowerCase() },
    country: input.country ?? 'US',
    currency: input.currency ?? 'USD',
    timeZone: input.timeZone ?? 'UTC',
  }
  const problems: Problem[] = checks(organization)
    .filter(([, isGood]) => !isGood)
    .map(([path, , code, message]) => ({ path, code, message }))
  if (problems.length > 0) throw invalid('validation_error', problems)
  return organization
}

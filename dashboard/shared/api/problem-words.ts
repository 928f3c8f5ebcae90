// Texts for people about invalid values. The messages of the API are for programs.
import { counted, formatCount } from '../../../contract/counted.ts'
import type { Problem } from '../../../contract/errors.ts'
import { numberFormat } from '../../../contract/language.ts'
import type { ProblemCode } from '../../../contract/problem-codes.ts'
import { lazy } from '../../ui/lazy.ts'

const decimal = lazy(() => numberFormat({ minimumFractionDigits: 2 }).format(12500.5))

/** The numbers in a message of the API. */
const numbersIn = (message: string): number[] => (message.match(/\d+/g) ?? []).map(Number)

/** A text with the last number of the message, which is the limit. Without a number, the text `otherwise`. */
const withLimit =
  (words: (limit: string) => string, otherwise: string) =>
  ({ message }: Problem): string => {
    const limit = numbersIn(message).at(-1)
    return limit === undefined ? otherwise : words(formatCount(limit))
  }

function lengthWords({ message }: Problem): string {
  const [least, most] = numbersIn(message)
  if (least === undefined) return 'This is too short or too long'
  return most === undefined
    ? `Use at most ${counted(least, 'character')}`
    : `Use ${formatCount(least)} to ${counted(most, 'character')}`
}

const TOO_LONG = withLimit((limit) => `Use at most ${limit} characters`, 'Enter less text')
const TOO_LARGE = withLimit((limit) => `Enter at most ${limit}`, 'Enter a smaller number')
const TOO_SMALL = withLimit((limit) => `Enter at least ${limit}`, 'Enter a larger number')
const TOO_MANY = withLimit((limit) => `Choose at most ${limit}`, 'Choose fewer')
const TOO_FEW = withLimit((limit) => `Choose at least ${limit}`, 'Choose at least one')
const NAME_OF_FILE = 'Choose another name for the file'
const MISSING = 'This no longer exists: choose another one'
const RESERVED = 'This name is reserved: choose another one'
const DAMAGED_LINK = 'This link is damaged: open the page again'
const OTHER_FORM = 'This has the wrong format'

/** For routes that only the dashboard uses: their messages are already for people. */
const asSaid = ({ message }: Problem): string => message.slice(0, 1).toUpperCase() + message.slice(1)

type Words = string | ((problem: Problem) => string)

const WORDS = {
  backslash: NAME_OF_FILE,
  common_password: 'This password is on the list of most used ones, so it is guessed first: use a few words',
  content_type: 'Files of this type are not accepted',
  control_character: NAME_OF_FILE,
  duplicate: 'This is listed twice: remove one',
  empty_text: 'Enter a value, or clear the field',
  encoded: NAME_OF_FILE,
  enum: 'Choose one of the options',
  given_twice: DAMAGED_LINK,
  in_the_past: 'Choose a time in the future',
  invalid_address: 'Enter an address: street, city, postal code and a country from the list',
  invalid_change_set: 'This cannot be part of a set of changes: try again',
  invalid_checkbox: 'Use yes or no',
  invalid_country: 'Choose a country from the list',
  invalid_cron: 'Enter five parts: minute, hour, day, month and weekday, such as 0 9 * * 1',
  invalid_currency: () => `Enter an amount, such as ${decimal()}, and choose a currency`,
  invalid_cursor: 'This list has changed: open it again',
  invalid_date: 'Choose a day between the years 1 and 9999',
  invalid_domain: 'Enter the address of a website, such as acme.com',
  invalid_email: 'Enter an email address, such as ada@example.com',
  invalid_url: 'Enter the address of a page, such as https://example.com',
  invalid_group: 'Add at least one condition to each group',
  invalid_idempotency_key: 'This could not be sent: try again',
  invalid_length: lengthWords,
  invalid_list: 'Enter fewer or shorter values, none of them empty',
  invalid_name: 'Enter a first name, a last name or both',
  invalid_number: () => `Enter a number, such as ${decimal()}`,
  invalid_phone_number: 'Enter a phone number with its country code, such as +1 555 867 5309',
  invalid_reference: MISSING,
  invalid_period: 'Choose an earlier time',
  invalid_scope: 'Choose permissions from the list',
  invalid_sort: 'This cannot be sorted by: choose another column',
  invalid_slug: 'Use lower-case letters, digits and hyphens',
  invalid_text: 'Some characters cannot be saved: enter plain text',
  invalid_time_zone: 'Choose a time zone from the list',
  invalid_timestamp: 'Choose a date and a time',
  invalid_type: OTHER_FORM,
  malformed_encoding: DAMAGED_LINK,
  maximum: TOO_LARGE,
  never_unique: 'Values of this type cannot be unique',
  no_change: 'There is nothing to undo',
  no_due_date: 'This task has no due date: give it one first',
  no_file: 'This file is no longer there: upload it again',
  not_allowed: 'This does not go with this type',
  not_found: MISSING,
  object_inactive: 'This object is inactive: activate it in the settings first',
  off_grid: 'This extends beyond the edge: make it smaller or move it',
  offset_with_cursor: 'This list has changed: open it again',
  operator_not_defined: 'This cannot be compared like that: choose another condition',
  out_of_range: withLimit((limit) => `Enter a whole number from 1 to ${limit}`, 'Enter another number'),
  overlap: 'This overlaps another tile: move it',
  path_segment: NAME_OF_FILE,
  personal_password: 'This password is made of your name or email address: use a few other words',
  refused_url: 'This address cannot be reached from the internet: use a public one',
  repetitive_password: 'This password repeats few characters: use a few words',
  required: 'Enter a value',
  reserved: RESERVED,
  reserved_name: RESERVED,
  still_listed: 'This option is still in the list: change it by itself first',
  too_deep: 'Use fewer groups of conditions',
  too_large: 'This record holds too much: shorten its texts or lists',
  too_long: 'Choose a shorter name',
  too_many: 'This is too much: choose fewer',
  too_many_files: 'The records have too many files together: remove some first',
  too_many_filters: withLimit((limit) => `Use at most ${limit} filters`, 'Use fewer filters'),
  unique_violation: 'Another record has this value',
  unknown_attribute: 'This attribute no longer exists: reload the page',
  unknown_field: 'This field no longer exists: reload the page',
  unknown_object: MISSING,
  unknown_option: 'Choose one of the options',
  unknown_parameter: 'This workflow has changed: reload the page',
  unknown_part: 'Values of this attribute have no such part: choose another one',
  unknown_report: MISSING,
  unknown_time_zone: 'Choose a time zone from the list',
  wrong_operand: 'The condition needs another value: choose or enter one',
  wrong_password: 'This is not your password',
  exclusiveMaximum: TOO_LARGE,
  exclusiveMinimum: TOO_SMALL,
  format: OTHER_FORM,
  maxItems: TOO_MANY,
  maxLength: TOO_LONG,
  maxProperties: TOO_MANY,
  minItems: TOO_FEW,
  minLength: withLimit(
    (limit) => (limit === '1' ? 'Enter a value' : `Use at least ${limit} characters`),
    'Enter more text',
  ),
  minProperties: 'Change something first',
  minimum: TOO_SMALL,
  multipleOf: 'Enter a whole number',
  pattern: OTHER_FORM,
  type: OTHER_FORM,
  uniqueItems: 'Each may be there only once',
  cut: asSaid,
  duplicate_column: asSaid,
  invalid_token: asSaid,
  name_mismatch: asSaid,
  needs_upsert: asSaid,
  no_picture: asSaid,
  not_matched: asSaid,
  not_unique: asSaid,
  nothing_to_import: asSaid,
  refused: asSaid,
  several_matches: asSaid,
  too_many_attributes: asSaid,
  too_many_views: asSaid,
  unknown_column: asSaid,
  unreadable: asSaid,
} satisfies Record<ProblemCode, Words>

const GENERAL = 'This cannot be saved as it is: check it and try again'

/** Finds the invisible character that a message names. */
const UNSEEN = /contains (U\+[\dA-F]+): leave this character out/

/** A sentence without its full stop. Unknown codes get a general text. */
export function problemWords(problem: Problem): string {
  const words: Words = Object.hasOwn(WORDS, problem.code) ? WORDS[problem.code as ProblemCode] : GENERAL
  const said = typeof words === 'string' ? words : words(problem)
  const character = UNSEEN.exec(problem.message)?.[1]
  return character === undefined ? said : `${said}. Delete the invisible character ${character}`
}

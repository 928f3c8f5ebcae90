// Texts for people about refused requests. Messages of the service that name slugs, headers, settings or request parts
// are for programs, so they are replaced here.
import type { ErrorCode } from '../../../contract/errors.ts'
import { formatBytes } from '../../ui/bytes.ts'

export interface Refusal {
  code: string
  message: string
  details?: Readonly<Record<string, unknown>>
}

type Words = string | ((refusal: Refusal) => string)

const GENERAL = 'This did not work: reload the page and try again'
const UNKNOWN_REQUEST = 'This page does not fit the service any more: reload it'
const BUSY = 'The service is busy or restarting: try again shortly'

/** Removes names of settings, which only the operator needs. */
const said = ({ message }: Refusal): string =>
  message
    .replace(/ask the operator to raise [A-Z_]+/, 'ask the operator for more')
    .replace(/[.;] the operator can raise .*$/i, '')
    .replace(/ \([A-Z]+(?:_[A-Z]+)+\)/, '')

function notFoundWords({ message }: Refusal): string {
  if (/ was merged into /.test(message)) return 'This record was merged into another one'
  const [, what = 'record'] = /^No such (.+?)(?: any more)?:/.exec(message) ?? []
  return what === 'route' || what === 'request'
    ? UNKNOWN_REQUEST
    : `This ${what} does not exist, or no longer`
}

/** `12 records have "Lost"` */
const usedOption = ({ message }: Refusal): string =>
  `${/^[\d,]+ records? ha(?:s|ve) "[^"]*"/.exec(message)?.[0] ?? 'This option is in use'}: choose what its records get instead`

function tooLarge({ message, details }: Refusal): string {
  const limit = Number(details?.['limitBytes'] ?? /(\d{4,}) bytes/.exec(message)?.[1])
  return Number.isNaN(limit)
    ? 'This is too large: send less'
    : `This is too large: ${formatBytes(limit)} at most`
}

function tooMany(refusal: Refusal): string {
  const { message, details } = refusal
  if (/^(?:An organization|This installation|Your organization is running|Other files)/.test(message))
    return said(refusal)
  const seconds = details?.['retryAfter']
  return typeof seconds === 'number' && seconds > 3
    ? `Too many requests: wait ${seconds} seconds, then try again`
    : 'Too many requests: try again shortly'
}

/** A code without an entry shows the message of the service. */
const WORDS: Partial<Record<ErrorCode, Words>> = {
  validation_error: GENERAL,
  invalid_parameter: GENERAL,
  invalid_filter: 'This filter cannot be used: remove it, or choose another one',
  unauthorized: ({ message }) => (/session/.test(message) ? message : 'Sign in again'),
  expired: 'Sign in again',
  insufficient_scope: 'You may not do this: ask an owner or admin',
  standard_object: 'This is built in: it cannot be changed or deleted',
  not_found: notFoundWords,
  method_not_allowed: UNKNOWN_REQUEST,
  slug_conflict: ({ message }) =>
    /still being removed|on their way/.test(message)
      ? 'Something of this name was deleted and is still being removed: try again shortly'
      : 'This slug is taken: choose another one',
  option_in_use: usedOption,
  options_changing: 'The last change of the options is still being saved: try again in a moment',
  unique_violation: 'Another record has this value: choose another one',
  case_conflict: 'Values differ only in upper and lower case: change these, or merge their records',
  duplicate_values: 'Several records have the same value: change these, or merge their records',
  object_inactive: 'This object is inactive, so its records cannot be changed: activate it in the settings',
  object_referenced: 'Attributes of other objects refer to this object: delete these attributes first',
  merged_since: 'A later merge is in the way: undo that one first',
  managed_by_svix: 'Svix delivers the webhooks of this installation: open its portal',
  file_exists: 'There is a file of this name: choose another name',
  storage_full: ({ details }) => {
    const limit = details?.['limitBytes']
    const most = typeof limit === 'number' ? ` of ${formatBytes(limit)}` : ''
    return `The storage${most} for the files of the organization is full: remove some and delete them from the trash, or ask the operator for more`
  },
  idempotency_conflict: 'This could not be sent: try again',
  idempotency_in_progress: 'This is still being saved: try again in a moment',
  precondition_failed: (refusal) =>
    /^Version/.test(refusal.message)
      ? said(refusal)
      : 'This was changed in the meantime: reload the page, then repeat your change',
  payload_too_large: tooLarge,
  query_too_expensive: 'This takes too long: use fewer filters, or filters that fewer records match',
  unsupported_media_type: 'Files of this type are not accepted: choose another file',
  rate_limit_exceeded: tooMany,
  internal_error: 'Something went wrong on our side: try again, and tell the operator if it happens again',
  unavailable: ({ message }) => {
    if (/^Files/.test(message)) return 'Files cannot be stored or read now: try again later'
    return /^(?:Svix|The disk)/.test(message) ? message : BUSY
  },
  invalid_signature: 'The upload could not be started: choose the file again',
  upload_expired: 'The upload took too long: choose the file again',
  range_not_satisfiable: 'This file has changed: open it again',
}

/** For a response without an error of the service, such as an error of a proxy. */
export const answeredWith = (status: number): string => (status >= 500 ? BUSY : GENERAL)

/** A sentence without its full stop. */
export function refusalWords(refusal: Refusal): string {
  const words = Object.hasOwn(WORDS, refusal.code) ? WORDS[refusal.code as ErrorCode] : undefined
  if (words === undefined) return said(refusal)
  return typeof words === 'string' ? words : words(refusal)
}

import { isStorable } from '../../http/storable.ts'
import { type Check, type Refusal, wrongType } from './attribute.ts'

export const NOT_STORABLE: Refusal = {
  code: 'invalid_text',
  message: 'Send text without the character U+0000 and without halves of surrogate pairs.',
}

const NOT_TEXT = wrongType('Send a text.')
const NOT_EMAIL_TYPE = wrongType('Send an e-mail address as text, such as "ada@example.com".')
const NOT_EMAIL: Refusal = {
  code: 'invalid_email',
  message: 'Send one e-mail address, such as "ada@example.com".',
}

export const checkText: Check = (value) => {
  if (typeof value !== 'string') return NOT_TEXT
  return isStorable(value) ? { value, normal: value } : NOT_STORABLE
}

export const checkEmail: Check = (value) => {
  if (typeof value !== 'string') return NOT_EMAIL_TYPE
  if (!isStorable(value)) return NOT_STORABLE
  return isEmail(value) ? { value, normal: value.toLowerCase() } : NOT_EMAIL
}

// HTML's idea of an address, opened to letters of any script. Labels exclude the dot and the local part
// excludes the @, so there is one way to match and matching takes linear time.
const EMAIL =
  /^[\w.!#$%&'*+/=?^`{|}~\-\u00a1-\uffff]{1,64}@[\w\u00a1-\uffff][\w\-\u00a1-\uffff]*(?:\.[\w\u00a1-\uffff][\w\-\u00a1-\uffff]*)+$/
const INVISIBLE = /[\s\p{Cc}\p{Cf}]/u
/** RFC 5321: the longest address that fits a mail command. */
const EMAIL_MAX = 254

/** One address, without a name. */
export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_MAX &&
  EMAIL.test(text) &&
  !INVISIBLE.test(text) &&
  !text.includes('-.', text.indexOf('@')) &&
  !text.endsWith('-')

// The checks of a person who will sign in, made before anything is written.
import { IsEmail } from 'typebox/format'
import type { Problem } from '../../contract/errors.ts'
import { EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from '../../contract/limits.ts'

export interface NewPerson {
  name: string
  email: string
  password: string
}

// An invited person must be able to sign up: better-auth accepts no other characters.
const SIGN_IN_EMAIL = /^[\w+'.-]*[\w+-]@(?:[a-z0-9-]+\.)+[a-z]{2,}$/i

export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_MAX && IsEmail(text) && SIGN_IN_EMAIL.test(text)

export const isName = (text: string): boolean =>
  text.trim().length > 0 && text.length <= NAME_MAX && !text.includes('\0')

export const NAME_MESSAGE = `must be 1 to ${NAME_MAX} characters`

const isPassword = (text: string) => text.length >= PASSWORD_MIN && text.length <= PASSWORD_MAX

/** @param prefix of every path, such as `owner.` */
export function* personProblems({ name, email, password }: NewPerson, prefix = ''): Generator<Problem> {
  if (!isName(name)) yield { path: `${prefix}name`, code: 'invalid_length', message: NAME_MESSAGE }
  if (!isEmail(email))
    yield {
      path: `${prefix}email`,
      code: 'invalid_email',
      message: 'must be an email address, such as ada@example.com',
    }
  if (!isPassword(password))
    yield {
      path: `${prefix}password`,
      code: 'invalid_length',
      message: `must be ${PASSWORD_MIN} to ${PASSWORD_MAX} characters`,
    }
}

// The first user of an organization: a new user, or one that already exists.
import { invalidField } from '../base/errors.ts'
import type { Auth } from './auth.ts'
import { refuseCommonPassword } from './guessable-password.ts'
import type { NewPerson as Owner } from './person.ts'

async function findOwner(auth: Auth, { email, password }: Owner): Promise<string | undefined> {
  const context = await auth.context
  const found = await context.internalAdapter.findUserByEmail(email, { includeAccounts: true })
  if (!found) return undefined
  const hash = found.accounts.find(({ providerId }) => providerId === 'credential')?.password
  if (hash && (await context.password.verify({ hash, password }))) return found.user.id
  throw invalidField(
    'owner.password',
    'wrong_password',
    `is not the password of the existing user ${email}: give the current one`,
  )
}

/** Signing up opens a session, which is closed again because the owner does not need it. */
async function signUp(auth: Auth, owner: Owner): Promise<string> {
  await refuseCommonPassword(owner.password, owner, 'owner.password')
  const { user, token } = await auth.signUp(owner)
  const context = await auth.context
  if (token) await context.internalAdapter.deleteSession(token)
  return user.id
}

/**
 * The user who owns the new organization, and whether this call made the user.
 * @throws AppError validation_error if the email belongs to a user with another password
 */
export async function ensureOwner(auth: Auth, owner: Owner): Promise<{ userId: string; isNew: boolean }> {
  const known = await findOwner(auth, owner)
  if (known !== undefined) return { userId: known, isNew: false }
  try {
    return { userId: await signUp(auth, owner), isNew: true }
  } catch (error) {
    // better-auth is large, and processes load this module that never use better-auth.
    const { isAPIError } = await import('better-auth/api')
    if (!isAPIError(error)) throw error
    // Another process may have just made the user. Otherwise better-auth refuses the email itself.
    const late = await findOwner(auth, owner)
    if (late !== undefined) return { userId: late, isNew: false }
    throw invalidField('owner.email', 'invalid_email', error.message)
  }
}

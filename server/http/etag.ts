// If-Match (decisions, section 4): a write on a version that is no longer the current one is refused.
import { hash } from 'node:crypto'
import { AppError } from '../base/errors.ts'

const strip = (tag: string) => tag.trim().replace(/^W\//, '')

/** @throws 412 precondition_failed */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (ifMatch.split(',').some((tag) => strip(tag) === etag)) return
  throw new AppError(
    'precondition_failed',
    'This changed since you read it: read it again, then repeat your change',
    { etag },
  )
}

/** Of a resource without a version of its own: two that are equal have the same. */
export const contentTag = (resource: object): string =>
  `"${hash('sha256', JSON.stringify(resource), 'base64url').slice(0, 22)}"`

// Versions of resources (decisions, section 4; RFC 9110, section 13): If-Match refuses a write to an outdated version,
// If-None-Match avoids sending a response that the client already has.
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

/** Whether If-None-Match contains this version, in its weak or strong form. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** The ETag of a resource without a version: a hash of its content. */
export const contentTag = (resource: object): string =>
  `"${hash('sha256', JSON.stringify(resource), 'base64url').slice(0, 22)}"`

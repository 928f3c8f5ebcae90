// Versions of resources (decisions, section 4; RFC 9110, section 13): If-Match refuses a write to an outdated version,
// If-None-Match avoids sending a response that the client already has.
import { hash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { AppError } from '../base/errors.ts'

/**
 * `"version.content"`: the content is the hash of a response. It changes without the version, such as when an option is
 * renamed and the record is not rewritten yet.
 */
export const withContent = (etag: string, json: string): string =>
  `${etag.slice(0, -1)}.${hash('sha256', json, 'base64url').slice(0, CONTENT_CHARACTERS)}"`

const CONTENT_CHARACTERS = 11
const CONTENT = new RegExp(`\\.[\\w-]{${CONTENT_CHARACTERS}}"$`)

const strong = (tag: string) => tag.trim().replace(/^W\//, '')

/** Only the version: a write is refused if the resource has changed, not if its response has. */
const versionOf = (tag: string) => strong(tag).replace(CONTENT, '"')

/** @throws 412 precondition_failed */
export function requireMatch(ifMatch: string | undefined, etag: string): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  if (ifMatch.split(',').some((tag) => versionOf(tag) === etag)) return
  throw new AppError(
    'precondition_failed',
    'This changed since you read it: read it again, then repeat your change',
    { etag },
  )
}

/** Whether If-None-Match contains this version, in its weak or strong form. */
export const isKnown = (header: string | undefined, etag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.split(',').some((one) => strong(one) === etag))

/** The ETag of a resource without a version: a hash of its content. */
export const contentTag = (resource: object): string =>
  `"${hash('sha256', JSON.stringify(resource), 'base64url').slice(0, 22)}"`

/** Sends the ETag of a resource. @returns the resource */
export function withEtag<Resource>(
  reply: FastifyReply,
  etagOf: (resource: Resource) => string,
  resource: Resource,
): Resource {
  reply.header('etag', etagOf(resource))
  return resource
}

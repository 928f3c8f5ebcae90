// Serves security.txt, which names the contact for vulnerabilities (RFC 9116).

import { notFound } from '../base/errors.ts'
import type { Config } from '../config/config.ts'
import type { App } from './request.ts'

/** How long the document is valid; RFC 9116 recommends less than a year. */
const VALID_DAYS = 90
const DAY_MS = 86_400_000

/** @param contact the setting: an email address or a URI */
export function securityText({ contact, baseUrl }: { contact: string; baseUrl: string }, now: Date): string {
  const uri = /^[a-z]+:/.test(contact) ? contact : `mailto:${contact}`
  const expires = new Date(Math.ceil(now.getTime() / DAY_MS) * DAY_MS + VALID_DAYS * DAY_MS)
  return [
    `Contact: ${uri}`,
    `Expires: ${expires.toISOString()}`,
    'Preferred-Languages: en',
    `Canonical: ${baseUrl}/.well-known/security.txt`,
    '',
  ].join('\n')
}

/** Returns 404 if the operator has set no contact: a contact that is not read is worse than none. */
export function securityTextRoute(
  app: App,
  { config, clock }: { config: Pick<Config, 'securityContact' | 'baseUrl'>; clock: { now(): Date } },
): void {
  app.get('/.well-known/security.txt', async (_request, reply) => {
    const { securityContact: contact, baseUrl } = config
    if (contact === undefined) throw notFound('address', 'check it for typing errors')
    reply.type('text/plain; charset=utf-8')
    return securityText({ contact, baseUrl }, clock.now())
  })
}

// Standard Webhooks (standardwebhooks.com): who sent it, when, and that not a byte was changed.
import { createHmac, createSecretKey } from 'node:crypto'

interface Signed {
  /** In the form `whsec_<base64>`, the newest first; each signs. */
  secrets: readonly string[]
  /** Of the event: the same on every retry, replay and endpoint. */
  id: string
  /** Of the attempt, in seconds. */
  timestamp: number
  /** Exactly the text that is sent. */
  body: string
}

const PREFIX = 'whsec_'
/** A key object: of a buffer, Node finds out by two exceptions what it is, which takes longer than to sign. */
const keyOf = (secret: string) =>
  createSecretKey(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64')

/** `v1,<base64 of HMAC-SHA256>` of each secret, separated by spaces. */
export function signatureOf({ secrets, id, timestamp, body }: Signed): string {
  const content = `${id}.${timestamp}.${body}`
  return secrets
    .map((secret) => `v1,${createHmac('sha256', keyOf(secret)).update(content).digest('base64')}`)
    .join(' ')
}

/**
 * All headers of an attempt. Id, time and signature come under two names, so that receivers written for Svix
 * keep working; an endpoint's own headers never replace ours.
 */
export function deliveryHeaders({
  own,
  ...signed
}: Signed & { own: readonly { name: string; value: string }[] }): Record<string, string> {
  const { id, timestamp } = signed
  const signature = signatureOf(signed)
  return {
    ...Object.fromEntries(own.map(({ name, value }) => [name.toLowerCase(), value])),
    'content-type': 'application/json',
    'user-agent': 'Rapport-Webhooks/1',
    'accept-encoding': 'identity',
    'webhook-id': id,
    'webhook-timestamp': `${timestamp}`,
    'webhook-signature': signature,
    'svix-id': id,
    'svix-timestamp': `${timestamp}`,
    'svix-signature': signature,
  }
}

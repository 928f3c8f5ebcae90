// Signs deliveries by Standard Webhooks (standardwebhooks.com). Receivers verify the sender, the time and the body.
import { createHmac, createSecretKey } from 'node:crypto'

interface Signed {
  /** `whsec_<base64>`, newest first. Each adds a signature. */
  secrets: readonly string[]
  /** Id of the event: the same for every retry, replay and endpoint. */
  id: string
  /** Time of the attempt, in seconds since 1970. */
  timestamp: number
  /** The exact text that is sent. */
  body: string
}

const PREFIX = 'whsec_'
/** A key object, because Node detects the type of a buffer with two exceptions, which takes longer than signing. */
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
 * All headers of an attempt. Id, time and signature have two names each, so that receivers written for Svix keep
 * working. An endpoint's own headers never replace the headers of the service.
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

// The URL, secrets and headers of an endpoint, and their encryption at rest.
import { randomBytes } from 'node:crypto'
import { type SecretBox, UnreadableSecret } from '../secrets/box.ts'

export interface OwnHeader {
  name: string
  value: string
}

export interface WebhookTarget {
  url: string
  /** Secrets newest first. null: sealed under a key that this installation no longer has. */
  keys: { secrets: string[]; headers: OwnHeader[] } | null
}

/** Columns of webhook_endpoints. */
export interface SealedTarget {
  org: number
  id: string
  url: string
  secret: Buffer
  /** null: there is none, or it has expired. */
  previousSecret: Buffer | null
  headers: Buffer | null
}

type EndpointRef = Pick<SealedTarget, 'org' | 'id'>

const aboutSecret = ({ org, id }: EndpointRef) => `webhook_secret:${org}:${id}`
const aboutHeaders = ({ org, id }: EndpointRef) => `webhook_headers:${org}:${id}`

/** `whsec_` and the base64 of 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

export const sealSecret = (box: SecretBox, endpoint: EndpointRef, secret: string): Buffer =>
  box.seal(secret, aboutSecret(endpoint))

/** @throws UnreadableSecret */
export const openSecret = (box: SecretBox, endpoint: EndpointRef, sealed: Buffer): string =>
  box.open(sealed, aboutSecret(endpoint))

/** null when there are no headers. */
export const sealHeaders = (
  box: SecretBox,
  endpoint: EndpointRef,
  headers: readonly OwnHeader[],
): Buffer | null => (headers.length === 0 ? null : box.seal(JSON.stringify(headers), aboutHeaders(endpoint)))

/** @throws UnreadableSecret */
export const openHeaders = (box: SecretBox, endpoint: EndpointRef, sealed: Buffer | null): OwnHeader[] =>
  sealed === null ? [] : JSON.parse(box.open(sealed, aboutHeaders(endpoint)))

/** The result of `open`; undefined when the value was encrypted with a key that the service does not have. */
export function ifReadable<Result>(open: () => Result): Result | undefined {
  try {
    return open()
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined
    throw error
  }
}

/** A previous secret that cannot be read is left out: the current one signs. */
export function openTarget(box: SecretBox, endpoint: SealedTarget): WebhookTarget {
  const { url, previousSecret } = endpoint
  const keys = ifReadable(() => {
    const secrets = [openSecret(box, endpoint, endpoint.secret)]
    return { secrets, headers: openHeaders(box, endpoint, endpoint.headers) }
  })
  const previous = previousSecret && ifReadable(() => openSecret(box, endpoint, previousSecret))
  if (keys && previous) keys.secrets.push(previous)
  return { url, keys: keys ?? null }
}

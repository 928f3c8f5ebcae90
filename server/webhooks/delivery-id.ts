// Public ids of deliveries. A delivery belongs to one endpoint and one event, and its id contains both ids.

export interface DeliveryKey {
  /** UUIDs as text. */
  endpoint: string
  event: string
}

const PREFIX = 'dlv_'
const FORM = /^dlv_[\w-]{43}$/
const UUID_BYTES = 16

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

/** `dlv_` and the 32 bytes of both ids as 43 base64url characters. */
export const formatDeliveryId = ({ endpoint, event }: DeliveryKey): string =>
  PREFIX + Buffer.concat([bytesOf(endpoint), bytesOf(event)]).toString('base64url')

/** The ids in lower case; undefined when formatDeliveryId does not return this text for any ids. */
export function parseDeliveryId(text: string): DeliveryKey | undefined {
  if (!FORM.test(text)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  const key = { endpoint: uuidOf(bytes.subarray(0, UUID_BYTES)), event: uuidOf(bytes.subarray(UUID_BYTES)) }
  // The last character has two unused bits.
  return formatDeliveryId(key) === text ? key : undefined
}

// Shared by tests of the guarded client: a client, receivers, and a POST request.
import { onTestFinished } from 'vitest'
import { type Receiver, type ReceiverOptions, startReceiver } from '../../test/receiver.ts'
import { createEgress, type Egress, type EgressOptions } from '../egress.ts'
import type { EgressOutcome, EgressRequest } from './exchange.ts'

/** Starts a receiver, which is closed after the test. */
export async function receiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const started = await startReceiver(options)
  onTestFinished(() => started.close())
  return started
}

/** Makes a client, which is closed after the test. Private addresses are allowed by default. */
export function egress(options: Partial<EgressOptions> = {}): Egress {
  const created = createEgress({ allowPrivate: true, ...options })
  onTestFinished(() => created.close())
  return created
}

/** Posts `{}` in the way of a webhook. */
export const post = (
  client: Egress,
  url: string,
  overrides: Partial<EgressRequest> = {},
): Promise<EgressOutcome> =>
  client.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    timeoutMs: 10_000,
    responseBytesMax: 16 * 1024,
    ...overrides,
  })

// What tests of the guarded client share: a client, receivers that are closed, and one way to ask.
import { onTestFinished } from 'vitest'
import { type Receiver, type ReceiverOptions, startReceiver } from '../../test/receiver.ts'
import { createEgress, type Egress, type EgressOptions } from '../egress.ts'
import type { EgressOutcome, EgressRequest } from './exchange.ts'

/** Closed after the test. */
export async function receiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const started = await startReceiver(options)
  onTestFinished(() => started.close())
  return started
}

/** Closed after the test; private addresses are allowed by default. */
export function egress(options: Partial<EgressOptions> = {}): Egress {
  const created = createEgress({ allowPrivate: true, ...options })
  onTestFinished(() => created.close())
  return created
}

/** Posts `{}`, as a webhook is. */
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

// An attempt: the request and the response.
import { SimpleGrid } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { RESPONSE_BYTES_MAX } from '../../../../contract/webhook-states.ts'
import { capitalized } from '../../../shared/api/errors.ts'
import type { DeliveryAttempt } from '../api/webhooks.ts'
import { Body, Headers, PartTitle } from './message-parts.tsx'
import { TimingBar } from './timing-bar.tsx'

interface ExchangeProps {
  attempt: DeliveryAttempt
  /** The exact text of the request body. */
  body: string
}

function Request({ attempt: { request }, body }: ExchangeProps) {
  return (
    <section className="stack shrink gap-8" aria-label="Request">
      <h3>Request</h3>
      <p className="breakable tiny mono">
        <strong>{request.method}</strong> {request.url}
      </p>
      {request.ip !== null && <p className="muted tiny">Sent to {request.ip}</p>}
      <PartTitle>Headers</PartTitle>
      <Headers headers={request.headers} />
      <Body text={body} of="request" />
    </section>
  )
}

function Answer({ response }: { response: NonNullable<DeliveryAttempt['response']> }) {
  return (
    <>
      <p className="breakable tiny mono">
        <strong>{response.status}</strong>
      </p>
      <PartTitle>Headers</PartTitle>
      <Headers headers={response.headers} />
      <Body text={response.body} of="response" />
      {response.isTruncated && (
        <p className="muted small">
          Only the first {RESPONSE_BYTES_MAX / 1024} KiB of the body were read and kept.
        </p>
      )}
    </>
  )
}

function Response({ attempt: { response } }: Pick<ExchangeProps, 'attempt'>) {
  return (
    <section className="stack shrink gap-8" aria-label="Response">
      <h3>Response</h3>
      {response ? <Answer response={response} /> : <p className="muted small">There was no response.</p>}
    </section>
  )
}

/** Also used for the result of a test. */
export function Exchange({ attempt, body }: ExchangeProps) {
  return (
    <div className="stack gap-16">
      {attempt.message !== null && (
        <p className="note breakable danger">
          <TriangleAlert size={16} aria-hidden />
          <span>{capitalized(attempt.message)}</span>
        </p>
      )}
      <TimingBar timings={attempt.timings} />
      <SimpleGrid type="container" cols={{ base: 1, '600px': 2 }} spacing={24}>
        <Request attempt={attempt} body={body} />
        <Response attempt={attempt} />
      </SimpleGrid>
    </div>
  )
}

// One attempt: what was sent, and what came back.
import { TriangleAlert } from 'lucide-react'
import { RESPONSE_BYTES_MAX } from '../../../../../contract/webhook-states.ts'
import { capitalized } from '../../../../shared/api/errors.ts'
import type { DeliveryAttempt } from '../../api/webhooks.ts'
import classes from './exchange.module.css'
import { Body, Headers } from './message-parts.tsx'
import { TimingBar } from './timing-bar.tsx'

interface ExchangeProps {
  attempt: DeliveryAttempt
  /** The exact text that was sent. */
  body: string
}

function Request({ attempt: { request }, body }: ExchangeProps) {
  return (
    <section className="shrink" aria-label="Request">
      <h3 className={classes.title}>Request</h3>
      <p className="breakable tiny mono flush">
        <strong>{request.method}</strong> {request.url}
      </p>
      {request.ip !== null && <p className={classes.sub}>Sent to {request.ip}</p>}
      <h4 className={classes.partTitle}>Headers</h4>
      <Headers headers={request.headers} />
      <Body text={body} of="request" />
    </section>
  )
}

function Answer({ response }: { response: NonNullable<DeliveryAttempt['response']> }) {
  return (
    <>
      <p className="breakable tiny mono flush">
        <strong>{response.status}</strong>
      </p>
      <h4 className={classes.partTitle}>Headers</h4>
      <Headers headers={response.headers} />
      <Body text={response.body} of="response" />
      {response.isTruncated && (
        <p className={classes.none}>
          Only the first {RESPONSE_BYTES_MAX / 1024} KiB of the body were read and kept.
        </p>
      )}
    </>
  )
}

function Response({ attempt: { response } }: Pick<ExchangeProps, 'attempt'>) {
  return (
    <section className="shrink" aria-label="Response">
      <h3 className={classes.title}>Response</h3>
      {response ? <Answer response={response} /> : <p className={classes.none}>There was no answer.</p>}
    </section>
  )
}

/** Also for the result of a test. */
export function Exchange({ attempt, body }: ExchangeProps) {
  return (
    <div className={classes.exchange}>
      {attempt.message !== null && (
        <p className={classes.error}>
          <TriangleAlert size={16} aria-hidden />
          <span>{capitalized(attempt.message)}</span>
        </p>
      )}
      <TimingBar timings={attempt.timings} />
      <div className={classes.sides}>
        <Request attempt={attempt} body={body} />
        <Response attempt={attempt} />
      </div>
    </div>
  )
}

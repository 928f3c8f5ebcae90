// rapport listen: forwards live events, signed, to a developer's machine.
import { styleText } from 'node:util'
import type { Command } from 'commander'
import { counted, formatCount } from '../contract/counted.ts'
import type { EventType } from '../contract/events.ts'
import type { Egress } from '../server/http/egress.ts'
import type { StoredAttempt } from '../server/webhooks/delivery/attempt.ts'
import type { FeedEvent } from '../server/webhooks/feed/store.ts'
import { enterCell, type OrgOptions, orgCommand } from './organization.ts'
import { type OutputOptions, print } from './output.ts'
import { type CliSession, withStoppableSession } from './session.ts'

interface ListenOptions extends OrgOptions {
  forwardTo: string
  events?: string
  secret?: string
}

interface Summary {
  forwarded: number
  failed: number
  /** Whether a request was in flight when the command was stopped. */
  interrupted: boolean
}

const SECRET = /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/

async function secretOf({ secret }: ListenOptions): Promise<string> {
  const { newSecret } = await import('../server/webhooks/target.ts')
  if (secret === undefined) return newSecret()
  if (SECRET.test(secret)) return secret
  throw new Error('--secret must be whsec_ followed by the base64 of at least 24 bytes')
}

const clockTime = (at: Date) =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')

/** Uses colors only if the terminal supports them. */
const colored = (isFine: boolean, text: string) =>
  styleText(isFine ? 'green' : 'red', text, { stream: process.stdout })

function report(options: OutputOptions, { id, type }: FeedEvent, attempt: StoredAttempt): void {
  const { startedAt, status, failure, message, timings } = attempt
  const ms = Math.round(timings.totalMs)
  print(options, { time: startedAt.toISOString(), type, id, status, ms, failure, message }, () => {
    const isFine = failure === null
    const verdict = colored(isFine, String(status ?? failure))
    const line = `${clockTime(startedAt)}  ${type.padEnd(18)}  ${id}  ${verdict}  ${ms} ms`
    return [isFine ? line : `${line}  ${message ?? ''}`]
  })
}

interface Forwarding {
  session: CliSession
  options: ListenOptions
  secret: string
  egress: Egress
}

/** Forwards an event by a single attempt. A failure is reported, but not tried again. */
async function forward(
  { session: { ctx, signal }, options, secret, egress }: Forwarding,
  event: FeedEvent,
): Promise<StoredAttempt> {
  const { sendAttempt } = await import('../server/webhooks/delivery/attempt.ts')
  const target = { url: options.forwardTo, keys: { secrets: [secret], headers: [] } }
  const { id, body } = event
  return sendAttempt({ clock: ctx.clock, egress }, { target, event: id, body, signal })
}

async function forwardAll(forwarding: Forwarding, events: AsyncIterable<FeedEvent>): Promise<Summary> {
  const { session, options } = forwarding
  const summary: Summary = { forwarded: 0, failed: 0, interrupted: false }
  for await (const event of events) {
    if (session.signal.aborted) break
    const attempt = await forward(forwarding, event).catch((error) => {
      if (!session.signal.aborted) throw error
    })
    summary.interrupted = attempt === undefined
    if (attempt === undefined) break
    report(options, event, attempt)
    if (attempt.failure === null) summary.forwarded++
    else summary.failed++
  }
  return summary
}

function introduce(options: ListenOptions, secret: string, types: readonly EventType[]): void {
  const { forwardTo } = options
  print(options, { secret, forwardTo, types }, () => [
    `Signing secret: ${secret}`,
    `Events of ${options.org} from now on go to ${forwardTo}. Stop with Ctrl-C.`,
  ])
}

async function run(session: CliSession, options: ListenOptions): Promise<Summary> {
  const [{ createEgress }, { followFeed }, { parseEventTypes }, { selectFeedNow }] = await Promise.all([
    import('../server/http/egress.ts'),
    import('../server/webhooks/feed/follow.ts'),
    import('../server/webhooks/feed/service.ts'),
    import('../server/webhooks/feed/store.ts'),
  ])
  const { signal } = session
  const types = parseEventTypes(options.events, 'events')
  const secret = await secretOf(options)
  const egress = createEgress({ allowPrivate: true })
  try {
    const refusal = await egress.check(options.forwardTo)
    if (refusal !== undefined) throw new Error(`--forward-to: ${refusal}`)
    const { ctx, organization } = await enterCell(session, options.org)
    const now = await selectFeedNow(ctx.db, organization.org, types)
    introduce(options, secret, types)
    const events = followFeed(ctx.db, organization.org, { now, types, signal })
    return await forwardAll({ session, options, secret, egress }, events)
  } finally {
    await egress.close()
  }
}

/** A signal that also aborts when the reader of the output has ended, as with `| head`. */
function untilUnread(signal: AbortSignal): AbortSignal {
  const unread = new AbortController()
  process.stdout.on('error', () => unread.abort())
  return AbortSignal.any([signal, unread.signal])
}

async function listen(options: ListenOptions): Promise<void> {
  const summary = await withStoppableSession((session) =>
    run({ ...session, signal: untilUnread(session.signal) }, options),
  )
  print(options, summary, () => [
    `${counted(summary.forwarded, 'event')} forwarded, ${formatCount(summary.failed)} failed${summary.interrupted ? ', 1 was in flight' : ''}`,
  ])
  // A stop is the normal end of this command.
  process.exitCode = 0
}

const HELP = `
Events are posted one after the other, in order, signed as webhooks are, with a secret generated for this run. An event
that the receiver does not take is shown as failed and not sent again. With --json, each line is a document: the
secret, then one per event, then the counts.

Examples:
  $ rapport listen --org acme --forward-to http://localhost:4000/hooks
  $ rapport listen --org acme --forward-to http://localhost:4000/hooks --events record.created,record.updated`

export const listenCommand = (): Command =>
  orgCommand('listen', 'Forward events as they happen to a program under development')
    .requiredOption('--forward-to <url>', 'where the events are posted, such as http://localhost:4000/hooks')
    .option('--events <list>', 'event types, separated by commas (default: every type)')
    .option('--secret <whsec_…>', 'what the events are signed with (default: generated for this run)')
    .option('--json', 'print one JSON document per line')
    .addHelpText('after', HELP)
    .action(listen)

// rapport webhooks deliveries: shows deliveries, and sends them again.
import { Command, Option } from 'commander'
import { DELIVERY_STATES } from '../contract/webhook-states.ts'
import { type Delivery, DeliveryQuery, NewReplay } from '../contract/webhooks.ts'
import { checked } from './checked.ts'
import { type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print, table } from './output.ts'
import { withOwnWebhooks } from './own-webhooks.ts'
import { noteOnService } from './running-service.ts'

interface ListOptions extends OrgOptions {
  endpoint: string
  status?: string
  event?: string
  limit?: string
  cursor?: string
}

interface RecoverOptions extends OrgOptions {
  endpoint: string
  since: string
  until?: string
  missing?: true
}

const row = (delivery: Delivery): string[] => [
  delivery.id,
  delivery.eventType,
  delivery.state,
  String(delivery.lastStatus ?? delivery.lastFailure ?? ''),
  String(delivery.attempts),
  delivery.createdAt,
  delivery.nextAttemptAt ?? '',
]

const HEADINGS = ['DELIVERY', 'EVENT', 'STATE', 'ANSWER', 'ATTEMPTS', 'CREATED', 'NEXT ATTEMPT']

async function list(options: ListOptions): Promise<void> {
  const { listDeliveries } = await import('../server/webhooks/deliveries/listing.ts')
  const { status, event, limit, cursor } = options
  const query = checked(DeliveryQuery, {
    ...(status !== undefined && { state: status }),
    ...(event !== undefined && { type: event }),
    ...(limit !== undefined && { limit: Number(limit) }),
    ...(cursor !== undefined && { cursor }),
  })
  const page = await withOwnWebhooks(options.org, (ctx, caller) =>
    listDeliveries(ctx, caller, options.endpoint, query),
  )
  const { nextCursor } = page.pagination
  print(options, page, () => [
    ...table(HEADINGS, page.deliveries.map(row), 'No deliveries.'),
    ...(nextCursor === undefined ? [] : [`There are older ones: --cursor ${nextCursor}`]),
  ])
}

async function replay(options: OrgOptions & { delivery: string }): Promise<void> {
  const { replayDelivery } = await import('../server/webhooks/deliveries/service.ts')
  const { delivery, notes } = await withOwnWebhooks(options.org, async (ctx, caller) => ({
    delivery: await replayDelivery(ctx, caller, options.delivery),
    notes: await noteOnService(ctx.db),
  }))
  print(options, delivery, () => [`Delivery ${delivery.id} will be sent again.`, ...notes])
}

async function recover(options: RecoverOptions): Promise<void> {
  const { startReplay } = await import('../server/webhooks/deliveries/replays.ts')
  const { org, endpoint, since, until } = options
  const kind = options.missing ? 'missing' : 'failed'
  const asked = checked(NewReplay, { kind, since, ...(until !== undefined && { until }) })
  const { started, notes } = await withOwnWebhooks(org, async (ctx, caller) => ({
    started: await startReplay(ctx, caller, endpoint, asked),
    notes: await noteOnService(ctx.db),
  }))
  const what = options.missing ? 'Deliveries that were never made' : 'Deliveries that failed'
  print(options, started, () => [`${what} from ${started.since} to ${started.until} will be sent.`, ...notes])
}

const ENDPOINT = ['--endpoint <id>', 'id of the endpoint'] as const

const listCommand = () =>
  orgCommand('list', 'List the deliveries of an endpoint, the newest event first')
    .requiredOption(...ENDPOINT)
    .addOption(new Option('--status <state>', 'only these').choices(DELIVERY_STATES))
    .option('--event <type>', 'only of events of this type')
    .option('--limit <number>', 'how many, at most 100 (default: 50)')
    .option('--cursor <cursor>', 'continue after the previous page')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Examples:
  $ rapport webhooks deliveries list --org acme --endpoint 0198c0de-0000-7000-8000-000000000001 --status failed`,
    )
    .action(list)

const replayCommand = () =>
  orgCommand('replay', 'Send a delivery again')
    .requiredOption('--delivery <id>', 'id of the delivery, dlv_…')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
The running service sends it; without one it waits.

Examples:
  $ rapport webhooks deliveries replay --org acme --delivery dlv_AZjA3gAAcACAAAAAAAAAAQGYwN4AAHAAgAAAAAAAAAI`,
    )
    .action(replay)

const recoverCommand = () =>
  orgCommand('recover', 'Send again what failed or was cancelled since a time')
    .requiredOption(...ENDPOINT)
    .requiredOption('--since <timestamp>', 'ISO 8601: events from then on')
    .option('--until <timestamp>', 'ISO 8601: events before that (default: now)')
    .option('--missing', 'instead of failed deliveries: events the endpoint selects but never received')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
The running service works on it in the background; without one it waits.

Examples:
  $ rapport webhooks deliveries recover --org acme --endpoint 0198c0de-0000-7000-8000-000000000001 \\
      --since 2026-11-20T00:00:00Z`,
    )
    .action(recover)

export const deliveriesCommand = (): Command =>
  new Command('deliveries')
    .description('List deliveries, and send them again')
    .addCommand(listCommand())
    .addCommand(replayCommand())
    .addCommand(recoverCommand())
    .addHelpText('after', '\nExamples:\n  $ rapport webhooks deliveries list --help')

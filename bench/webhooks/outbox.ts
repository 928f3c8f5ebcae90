// How much the outbox slows creates without a subscriber, compared with the service without parts of the outbox.
import sql from 'sql-template-tag'
import type { Context } from '../../server/context.ts'
import { type BenchOptions, profileFlags } from '../harness/bench.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { startLoadGenerator } from '../harness/load.ts'
import { attach, startService } from '../harness/service.ts'
import { makeSubscriber } from './fixture.ts'

const VARIANTS = new URL('./outbox-variants.ts', import.meta.url).href

interface Variant {
  name: string
  flags: string[]
  /** Run before and after each of its rounds. */
  begin: (ctx: Context) => Promise<unknown>
  end: (ctx: Context) => Promise<unknown>
}

const nothing = async () => undefined
const flagsOf = (variant: string) => ['--import', `${VARIANTS}?variant=${variant}`]

/** The service before it had an outbox: the row of an event is only the history of its record. */
const HISTORY: Variant = {
  name: 'events as history only',
  flags: flagsOf('history'),
  begin: ({ db }) => db.run(sql`drop index events_feed`),
  end: ({ db }) => db.run(sql`create index events_feed on events (org, type, tx, id)`),
}

const NONE: Variant = { name: 'no events at all', flags: flagsOf('none'), begin: nothing, end: nothing }

const AS_IT_IS: Variant = { name: 'as it is', flags: [], begin: nothing, end: nothing }

async function round(lab: Lab, variant: Variant, options: BenchOptions): Promise<number> {
  const service = await startService(lab, { flags: [...variant.flags, ...profileFlags(options, 'service')] })
  const { ctx, close } = await attach(lab, service)
  try {
    await variant.begin(ctx)
    const { key } = await makeSubscriber(ctx, '', 0)
    const module = new URL('./requests.ts', import.meta.url)
    const generator = await startLoadGenerator(lab, { module, params: { key, mark: 'outbox' } })
    const load = { url: service.url, connections: options.connections, stream: 'create' }
    await generator.run({ ...load, seconds: 2 })
    const { requestsPerSecond } = await generator.run({ ...load, seconds: options.seconds })
    lab.tell(`  ${variant.name}: ${Math.round(requestsPerSecond)} creates/s`)
    return requestsPerSecond
  } finally {
    await variant.end(ctx)
    await close()
    await service.child.stop()
  }
}

export async function measureOutbox(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const rates = new Map<Variant, number[]>([AS_IT_IS, HISTORY, NONE].map((variant) => [variant, []]))
  for (let n = 0; n < options.rounds; n++)
    for (const [variant, rounds] of rates) rounds.push(await round(lab, variant, options))
  const ours = rates.get(AS_IT_IS) ?? []
  return [HISTORY, NONE].map((variant) =>
    compare({
      case: `create one record, limit: ${variant.name}`,
      unit: '/s',
      ours,
      limit: rates.get(variant) ?? [],
      ...(variant === HISTORY && { target: 0.9 }),
    }),
  )
}

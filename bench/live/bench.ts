// bench live: how much many open dashboards slow the requests of a node, and how soon an edit reaches them.
import { type Bench, type BenchOptions, chosen, profileFlags } from '../harness/bench.ts'
import type { Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { attach, startService } from '../harness/service.ts'
import { measureDelays } from './delays.ts'
import { makeAudiences } from './fixture.ts'
import { measureIdle } from './idle.ts'
import type { Measured } from './measured.ts'
import { measureReads } from './reads.ts'
import { type Audience, startSessions } from './sessions.ts'

const SESSIONS = 1000
const MANY_SESSIONS = 5000
const SESSIONS_PER_ORGANIZATION = 20

const LIMITS = {
  LIVE_STREAMS: '10000',
  LIVE_STREAMS_PER_ORGANIZATION: '10000',
  LIVE_STREAMS_PER_CLIENT: '10000',
  CONNECTIONS: '15000',
  CONNECTIONS_PER_CLIENT: '15000',
}

const usual = ({ ctx, service }: Measured, sessions: number): Promise<Audience[]> =>
  makeAudiences(ctx, service.url, {
    organizations: sessions / SESSIONS_PER_ORGANIZATION,
    sessions: SESSIONS_PER_ORGANIZATION,
  })

const CASES: readonly { name: string; run(measured: Measured): Promise<Row[]> }[] = [
  {
    name: 'thousand',
    async run(measured) {
      const audiences = await usual(measured, SESSIONS)
      return [
        ...(await measureReads(measured, audiences)),
        ...(await measureDelays(measured, '1,000 sessions', audiences)),
        ...(await measureIdle(measured, '1,000 sessions', audiences)),
      ]
    },
  },
  {
    name: 'organization',
    async run(measured) {
      const crowd = { organizations: 1, sessions: SESSIONS }
      const audiences = await makeAudiences(measured.ctx, measured.service.url, crowd)
      return measureDelays(measured, '1,000 sessions of one organization', audiences)
    },
  },
  {
    name: 'many',
    async run(measured) {
      const audiences = await usual(measured, MANY_SESSIONS)
      return [
        ...(await measureDelays(measured, '5,000 sessions', audiences)),
        ...(await measureIdle(measured, '5,000 sessions', audiences)),
      ]
    },
  },
]

async function run(lab: Lab, options: BenchOptions): Promise<Row[]> {
  const rows: Row[] = []
  for (const one of chosen(CASES, options.only)) {
    lab.tell(`${one.name} …`)
    const service = await startService(lab, { flags: profileFlags(options, one.name), env: LIMITS })
    const { ctx, close } = await attach(lab, service)
    lab.onClose(close)
    const sessions = startSessions(lab, service.url)
    rows.push(...(await one.run({ lab, service, ctx, sessions, options })))
    await sessions.leave()
    await service.child.stop()
  }
  return rows
}

export const liveBench: Bench = {
  name: 'live',
  summary: 'what 1,000 and 5,000 open dashboards cost, and how soon an edit reaches them',
  run,
}

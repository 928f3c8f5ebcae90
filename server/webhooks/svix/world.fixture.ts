// A service that sends webhooks to a simulated Svix.
import sql from 'sql-template-tag'
import { afterEach, beforeEach, expect } from 'vitest'
import type { Context } from '../../context.ts'
import type { Engine } from '../../jobs/leased-queue.ts'
import { requireCollection } from '../../test/after-file.ts'
import { buildTestService, type TestService } from '../../test/build-app.ts'
import type { Org } from '../../test/factories.ts'
import { createWebhookDispatcher } from '../delivery/dispatcher.ts'
import type { Svix } from './client.ts'
import { createSvixEngine } from './engine.ts'
import { type Interference, type StandIn, startStandIn, TOKEN } from './stand-in.fixture.ts'

interface Waiting {
  event: string
  tries: number
  isStopped: boolean
  status: number | null
  problem: string | null
}

export interface SvixWorld {
  service: TestService
  ctx: Context
  svix: Svix
  standIn: StandIn
  /** Creates an organization whose portal has been opened. */
  listening(): Promise<Org>
  /** Messages of the organization that Svix accepted, in order, with the text of their payload. */
  takenOf(
    org: Org,
  ): { eventId: string; eventType: string; idempotencyKey: string | undefined; body: string }[]
  namesOf(org: Org): string[]
  /** Messages that Svix does not have yet. */
  waitingOf(org: Org): Promise<Waiting[]>
  /** Sets how Svix answers following messages of the organization. */
  meetWith(org: Org, how: Interference): void
}

const MESSAGE = /^\{"eventType":"[\w.]+","eventId":"[\w-]+","payload":(\{.*\})\}$/s

/** Call it at the top of a test file. It closes everything after the tests, and checks requests for violations. */
export async function buildSvixWorld(): Promise<SvixWorld> {
  requireCollection()
  const standIn = await startStandIn()
  const service = await buildTestService({ svix: { token: TOKEN, url: standIn.url } })
  const { ctx } = service
  const { svix } = ctx
  if (!svix) throw new Error('Svix is configured')
  beforeEach(() => ctx.db.run(sql`delete from svix_applications`))
  afterEach(() => {
    standIn.interfere()
    expect(standIn.faults.splice(0)).toEqual([])
  })
  const takenOf: SvixWorld['takenOf'] = ({ id }) =>
    standIn.messages
      .filter(({ app }) => app === id)
      .map(({ text, ...message }) => ({ ...message, body: MESSAGE.exec(text)?.[1] ?? '' }))
  return {
    ...{ service, ctx, svix, standIn, takenOf },
    async listening() {
      const org = await service.org()
      expect((await org.get('/webhooks')).status).toBe(200)
      return org
    },
    namesOf: (org) => takenOf(org).map(({ body }) => JSON.parse(body).data.name),
    waitingOf: ({ org }) =>
      ctx.db.many<Waiting>(sql`
        select event, tries, stopped_at is not null as "isStopped", last_status as status, last_problem as problem
        from svix_messages where org = ${org} order by event`),
    meetWith: ({ id }, how) =>
      standIn.interfere(({ operation, name }) =>
        operation === 'v1.message.create' && name === id ? how : undefined,
      ),
  }
}

/** The two engines of a process. */
export const enginesOf = (ctx: Context): Engine[] => [createWebhookDispatcher(ctx), createSvixEngine(ctx)]

export const company = async (org: Org, name = 'Acme') =>
  (await org.post<{ id: string }>('/objects/companies/records', { data: { name } })).body.id

// Faults between the service and its database, under the load of the ledger. Every request must be answered within its
// deadline, everything must work again afterwards, and no change, event or webhook may be lost or duplicated.
// `npm run faults -- --long` makes each fault last longer; `--only` selects one. Faults of the server itself are in
// embedded.faults.verify.ts.
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { Pool } from 'undici'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { SERVICE_ROLE } from '../db/embedded/service-role.ts'
import { buildTestService, type TestService } from './build-app.ts'
import {
  ALL_ANSWERED,
  deliverAll,
  endure,
  isReady,
  LASTS_MS,
  REST_MS,
  settleAccounts,
  useWholePool,
} from './faults/fault.ts'
import { faults } from './faults/faults.ts'
import { IS_LONG, ONLY, SECRETS_KEY, SEED } from './faults/options.ts'
import { namedBy, openStage, type ProxiedStage, probe, type StageOptions } from './faults/stage.ts'
import { createLives } from './ledger/life.ts'
import { startReceiver } from './receiver.ts'

const lives = createLives()
afterAll(lives.killAll)

interface Scene {
  service: TestService
  open(options?: Partial<StageOptions>): Promise<ProxiedStage>
  close(): Promise<void>
}

/** A service on a separate database, because the ledger is checked against a whole database. */
function useScene(): Scene {
  const closing: (() => Promise<void>)[] = []
  const scene = {
    async close() {
      for (const close of closing) await close()
    },
  } as Scene
  beforeAll(async () => {
    const receiver = await startReceiver({ isRecording: false })
    scene.open = async (options) => {
      const { service } = scene
      const { database } = await service.ctx.db.one<{ database: string }>(
        sql`select current_database() as database`,
      )
      // The role of the service, not a superuser: that role could not end sessions of a superuser.
      const connection = { ...inject('postgres'), user: SERVICE_ROLE, database }
      const given = { lives, service, receiver, connection, secretsKey: SECRETS_KEY, seed: SEED }
      const stage = await openStage({ ...given, ...options })
      closing.unshift(() => stage.close())
      return stage
    }
  })
  return scene
}

const chosen = faults.filter(({ name }) => name.includes(ONLY))

describe.runIf(chosen.length > 0)(`under load (seed ${SEED})`, async () => {
  const scene = useScene()
  afterAll(scene.close)
  scene.service = await buildTestService({ secretsKeys: [SECRETS_KEY] })
  let stage: ProxiedStage
  beforeAll(async () => {
    stage = await scene.open()
  })

  test.each(chosen)(
    '$name: requests are answered in time, and the service recovers',
    async (fault) => {
      await endure(stage, fault)
    },
    LASTS_MS + 180_000,
  )

  test(
    'no acknowledged change is lost, nothing is executed twice',
    () => settleAccounts(stage),
    REST_MS + 60_000,
  )
})

describe.runIf('clocks'.includes(ONLY)).each([-2, 2])(
  'a service whose clock is %i hours off',
  async (hours) => {
    const scene = useScene()
    afterAll(scene.close)
    scene.service = await buildTestService({ secretsKeys: [SECRETS_KEY] })

    test(
      'reports that, answers requests, and loses nothing',
      async () => {
        const stage = await scene.open({ inner: { clockMs: hours * 3_600_000 } })
        // A busy machine may be too slow for the first probe.
        await expect.poll(async () => namedBy(await probe(stage.life.address, '/readyz'))).toEqual(['clock'])
        expect(await isReady(stage)).toBe(200)
        await delay(IS_LONG ? LASTS_MS : 2000)
        expect(Object.keys(stage.gate.times().statuses)).not.toContain('500')
        // Signatures contain the time of the service, so receivers that check it refuse them.
        await settleAccounts(stage, /Message timestamp too (old|new)$/)
      },
      REST_MS + LASTS_MS + 120_000,
    )
  },
)

/** More than the process needs with all connections busy, for which 90 are not enough. */
const DESCRIPTORS = 256

function takeDescriptors(address: string): Socket[] {
  const { hostname, port } = new URL(address)
  const sockets = Array.from({ length: 2 * DESCRIPTORS }, () => connect(Number(port), hostname))
  for (const socket of sockets) socket.on('error', () => undefined)
  return sockets
}

describe.runIf('descriptors'.includes(ONLY))('a process without a file descriptor left', async () => {
  const scene = useScene()
  afterAll(scene.close)
  scene.service = await buildTestService({ secretsKeys: [SECRETS_KEY] })

  test('reports that to connected clients, and recovers when descriptors are free', async () => {
    // The default limits of connections would leave some descriptors, but an operator may set them too high.
    const bounds = 'export CONNECTIONS=100000 CONNECTIONS_PER_CLIENT=100000'
    const launcher = ['/bin/sh', '-c', `ulimit -n ${DESCRIPTORS}; ${bounds}; exec "$@"`, 'sh']
    const stage = await scene.open({ launcher })
    // Deliveries need descriptors too.
    await deliverAll(stage)
    const balancer = new Pool(stage.life.address, { connections: 1 })
    const ask = async () => {
      const { statusCode, body } = await balancer.request({ method: 'GET', path: '/readyz' })
      return { status: statusCode, body: (await body.json()) as object, ms: 0 }
    }
    expect((await ask()).status).toBe(200)
    const sockets = takeDescriptors(stage.life.address)
    await expect.poll(async () => namedBy(await ask())).toContain('descriptors')
    expect((await ask()).status).toBe(503)
    for (const socket of sockets) socket.destroy()
    await expect.poll(async () => (await ask()).status).toBe(200)
    expect(await useWholePool(stage)).toEqual(ALL_ANSWERED)
    await balancer.close()
    await settleAccounts(stage)
  })
})

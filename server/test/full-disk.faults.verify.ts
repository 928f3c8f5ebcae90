// Full disks that embedded.faults.verify.ts does not test: the shared disk of a service with several processes, and the
// disk of an external PostgreSQL, which only answers that its disk is full (53100).
import { beforeAll, describe, expect, test } from 'vitest'
import { afterFile } from './after-file.ts'
import { buildTestService } from './build-app.ts'
import { fillingDisk } from './faults/embedded-faults.ts'
import { type EmbeddedStage, mayMountDisk, nearlyFull, openEmbeddedStage } from './faults/embedded-stage.ts'
import { endure, type Fault, REST_MS, settleAccounts } from './faults/fault.ts'
import { REFUSED, startReading, tryWrite } from './faults/filling.ts'
import { type FullServer, startFullServer } from './faults/full-server.ts'
import { ONLY, SECRETS_KEY, SEED } from './faults/options.ts'
import { namedBy, openStage, probe, type Stage } from './faults/stage.ts'
import { createLives } from './ledger/life.ts'
import { startReceiver } from './receiver.ts'

const lives = createLives()

afterFile(() => lives.killAll())

async function openSetting() {
  const receiver = await startReceiver({ isRecording: false })
  return { lives, receiver, secretsKey: SECRETS_KEY, seed: SEED }
}

const FULL = 'the disk of the database is full: writes are refused'
const FREE = 'the disk of the database has space again: writes are accepted'
const TRIES = 20

/** Each write uses a new connection: every process answers some of them. */
async function tryOften(stage: Stage) {
  const answers = []
  for (let tried = 0; tried < TRIES; tried++) answers.push(await tryWrite(stage))
  return answers
}

describe.runIf('disk full, several processes'.includes(ONLY))('with several processes', () => {
  const said: { process?: string; msg?: string }[] = []
  const saying = (text: string) =>
    said.flatMap(({ msg, process }) => (msg === text ? [process] : [])).toSorted()
  let stage: EmbeddedStage
  beforeAll(async () => {
    const more = { ...(await nearlyFull()), API_PROCESSES: '2', LOG_LEVEL: 'info' }
    const onLog = (line: string) => void said.push(JSON.parse(line))
    stage = await openEmbeddedStage(await openSetting(), { onSmallDisk: false, more, onLog })
  })

  test('each process refuses writes while the disk is full, and then accepts them again', async () => {
    const filling = fillingDisk()
    const end: typeof filling.end = async (of) => {
      expect(await tryOften(of)).toEqual(Array(TRIES).fill(REFUSED))
      await filling.end(of)
    }
    await endure(stage, { ...filling, end })
    const accepted = Array(TRIES).fill(expect.objectContaining({ status: 200 }))
    await expect.poll(() => tryOften(stage)).toEqual(accepted)
    for (const text of [FULL, FREE])
      await expect.poll(() => saying(text)).toEqual(['api-1', 'api-2', 'worker'])
  })

  test(
    'no acknowledged change is lost, nothing is executed twice',
    () => settleAccounts(stage),
    REST_MS + 60_000,
  )
})

const isChosen = 'disk full, of an external server'.includes(ONLY)

describe.runIf(isChosen && mayMountDisk())('with an external server', () => {
  let server: FullServer
  let stage: Stage
  beforeAll(async () => {
    server = await startFullServer()
    afterFile(() => server.close())
    const { pool, connection } = server
    const service = await buildTestService({ secretsKeys: [SECRETS_KEY] }, undefined, { pool, connection })
    const opened = await openStage({ ...(await openSetting()), service, connection })
    afterFile(() => opened.close())
    stage = opened
  })

  const filling = (): Fault<Stage> => {
    let stopReading = async (): Promise<Record<number, number>> => ({})
    return {
      name: 'disk full, of an external server',
      named: 'space',
      refuses: true,
      async begin() {
        stopReading = startReading(stage)
        await server.fill()
        await expect.poll(() => tryWrite(stage)).toEqual(REFUSED)
      },
      async end() {
        const named = namedBy(await probe(stage.life.address, '/readyz'))
        await server.free()
        expect(named).toContain('space')
        await expect.poll(() => tryWrite(stage)).toMatchObject({ status: 200 })
        expect(Object.keys(await stopReading())).toEqual(['200'])
      },
    }
  }

  test('writes are refused with the reason, reads continue, and the service recovers by itself', () =>
    endure(stage, filling()))

  test(
    'no acknowledged change is lost, nothing is executed twice',
    () => settleAccounts(stage),
    REST_MS + 60_000,
  )
})

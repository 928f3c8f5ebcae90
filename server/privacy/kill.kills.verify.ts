// kill -9 of the worker on an erasure before each of its transactions ends: no data of the person is left, nothing is
// counted twice, and data of others is kept.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { PrivacyRequest } from '../../contract/privacy.ts'
import { buildFileService } from '../files/files.fixture.ts'
import type { Org } from '../test/factories.ts'
import { createMortals } from '../test/mortal-children.ts'
import { startReceiver } from '../test/receiver.ts'
import { buildEverywhere, type Everywhere, findMarkers } from './erasure.fixture.ts'
import type { Task } from './kill-fixture-process.ts'

const SECRETS_KEY = Buffer.alloc(32, 9)
const service = await buildFileService({ secretsKeys: [SECRETS_KEY] })
const receiver = await startReceiver()
const { launch, live } = await createMortals<Task>(
  service,
  fileURLToPath(new URL('./kill-fixture-process.ts', import.meta.url)),
  { DATA_DIR: service.dataDir, SECRETS_KEY: SECRETS_KEY.toString('base64') },
)

const PEOPLE = '/objects/people/records'

async function expectOthers({ org, other, company, sharedActivity }: Everywhere): Promise<void> {
  for (const path of [`${PEOPLE}/${other}`, `/objects/companies/records/${company}`])
    expect(await org.get(path)).toMatchObject({ status: 200 })
  expect(await org.get(`/activities/${sharedActivity}`)).toMatchObject({
    status: 200,
    body: { linkedRecords: [{ recordId: other }] },
  })
}

/** @param work runs the erasure @returns the counts without messages, which a kill loses in another database */
async function erase(
  work: (org: Org, ref: Task['ref']) => Promise<void>,
): Promise<Partial<PrivacyRequest['counts']>> {
  const world = await buildEverywhere(service, receiver)
  const { org, person } = world
  expect((await findMarkers(service, org)).length).toBeGreaterThan(30)
  const confirmed = { confirm: person }
  const { body } = await org.post<PrivacyRequest>(`${PEOPLE}/${person}/erasure`, confirmed)
  await work(org, { org: org.org, id: body.id })
  const { body: ended } = await org.get<PrivacyRequest>(`/privacy/requests/${body.id}`)
  expect(ended).toMatchObject({ state: 'completed', problem: null })
  expect(await findMarkers(service, org)).toEqual([])
  await expectOthers(world)
  const { messages: _, ...counts } = ended.counts
  return counts
}

/**
 * Kills each worker before its first transaction ends, or before a later one if a step has several. So a worker is
 * killed after each transaction, together with what the next transaction does outside the database.
 * @returns the number of kills
 */
async function killAgainAndAgain(org: Org, ref: Task['ref']): Promise<number> {
  const stepsDone = async () =>
    (await org.get<PrivacyRequest>(`/privacy/requests/${ref.id}`)).body.progress.done
  for (let kills = 0, at = 1, done = 0; ; kills++, at++) {
    if (!(await live(launch(), { death: 'before', at, ref }))) return kills
    const before = done
    done = await stepsDone()
    if (done > before) at = 0
  }
}

test('workers that are killed at each transaction erase a person completely, and count everything once', async () => {
  const undisturbed = await erase(() => service.drain())
  let kills = 0
  const counts = await erase(async (org, ref) => {
    kills = await killAgainAndAgain(org, ref)
  })
  expect(counts).toEqual(undisturbed)
  expect(kills).toBeGreaterThan(20)
})

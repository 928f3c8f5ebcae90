import { beforeAll, expect, test } from 'vitest'
import { builtPages } from '../pages/pages.ts'
import { askAll, faultsOf, OUTAGE_SETTINGS, refusedReads, surprisesOf } from './outage/answers.ts'
import { type Prepared, prepareRequests } from './outage/requests.ts'
import { buildReplicatedService } from './replicated-service.ts'
import { signalServer } from './standby.ts'
import { temporaryFolder } from './temporary-folder.ts'

const pages = builtPages()
const dataDir = await temporaryFolder('outage')
const { primary, standby, service, replicas, caughtUp } = await buildReplicatedService(
  { ...OUTAGE_SETTINGS, dataDir },
  { pages },
)
let requests: Prepared[] = []

beforeAll(async () => {
  requests = await prepareRequests(service, pages)
  await caughtUp()
})

const ask = () => askAll(service, requests)
/** On a busy machine some reads may time out. */
const answersReads = () =>
  expect.poll(() => refusedReads(service, requests), { timeout: 100_000 }).toEqual([])
const comesBack = async () => {
  await answersReads()
  await expect.poll(() => replicas.status[0]?.state).toBe('ready')
}

const STATES = {
  frozen: {
    begin: () => signalServer(standby, 'SIGSTOP'),
    end: () => signalServer(standby, 'SIGCONT'),
  },
  stopped: { begin: () => standby.stop(), end: () => standby.start() },
}

test.each(['frozen', 'stopped'] as const)(
  'with a replica that is %s, no route returns 500, and every read is answered',
  async (state) => {
    await STATES[state].begin()
    try {
      expect(faultsOf(await ask())).toEqual([])
      await answersReads()
    } finally {
      await STATES[state].end()
    }
    await comesBack()
  },
)

test('with a frozen primary, only routes that need no database are answered', async () => {
  await signalServer(primary, 'SIGSTOP')
  try {
    const answered = await ask()
    expect(faultsOf(answered)).toEqual([])
    expect(surprisesOf(answered)).toEqual([])
  } finally {
    await signalServer(primary, 'SIGCONT')
  }
  await comesBack()
})

// While the directory or a cell is not available, no route returns 500. What needs that database returns 503 with
// Retry-After; other organizations and the routes of the directory do not need the cell.
import { beforeAll, expect, test } from 'vitest'
import { addCell } from '../cells/service.ts'
import { urlOfDatabase } from '../operations/cluster/databases.ts'
import { builtPages } from '../pages/pages.ts'
import { afterFile } from './after-file.ts'
import { buildTestService } from './build-app.ts'
import { askAll, faultsOf, OUTAGE_SETTINGS, refusedReads, surprisesOf } from './outage/answers.ts'
import { type Prepared, prepareRequests } from './outage/requests.ts'
import { startServer } from './outage/server.ts'

const NAME = 'one'
const RECORDS = '/objects/companies/records'
const STATES = ['out of connections', 'stopped', 'frozen', 'read-only'] as const
/** Time for busy machines, on which reads time out. */
const LONG = { timeout: 100_000 }

const pages = builtPages()
const [directory, cell] = await Promise.all([startServer(), startServer()])
// Registered before the service, so that the service is closed first.
afterFile(async () => {
  await directory.close()
  await cell.close()
})
const { cell: number } = await addCell(directory.pool, cell.pool, NAME)
const service = await buildTestService({ ...OUTAGE_SETTINGS, dataDir: directory.dataDir }, pages, {
  ...directory,
  cells: [{ cell: number, name: NAME, pool: cell.pool, connection: cell.connection }],
  addresses: [{ name: NAME, databaseUrl: urlOfDatabase(cell.connection) }],
})
const other = await service.org({ ctx: service.ctx.cells.of(0) })
let requests: Prepared[] = []
/** Requests for data of an organization in the cell. */
let inCell: Prepared[] = []
let inDirectory: Prepared[] = []

const OF_CELL = / \/(?:api\/v1\/(?!openapi)|dashboard\/api\/organizations\/|portal\/api\/|files)/
/** The directory checks sessions. Keys and pages are answered for up to a second from what was known before. */
const BY_SESSION = / \/(?:dashboard\/api|portal\/api)\//

beforeAll(async () => {
  requests = await prepareRequests(service, pages)
  const isInCell = ({ name }: Prepared) => OF_CELL.test(name)
  inCell = requests.filter(isInCell)
  inDirectory = requests.filter((one) => !isInCell(one))
})

const comesBack = () => expect.poll(() => other.get(RECORDS), LONG).toMatchObject({ status: 200 })

test.each(STATES)('with a cell that is %s, only what needs the cell is refused', async (state) => {
  await cell.states[state].begin()
  try {
    expect(faultsOf(await askAll(service, inCell))).toEqual([])
    expect((await other.get(RECORDS)).status).toBe(200)
    await expect.poll(() => refusedReads(service, inDirectory), LONG).toEqual([])
  } finally {
    await cell.states[state].end()
  }
})

test.each(STATES)(
  'with a directory that is %s, no route returns 500, and no session is accepted',
  async (state) => {
    await directory.states[state].begin()
    try {
      const answered = await askAll(service, requests)
      expect(faultsOf(answered)).toEqual([])
      const surprises = surprisesOf(answered).filter((one) => BY_SESSION.test(one))
      if (state !== 'read-only') expect(surprises).toEqual([])
    } finally {
      await directory.states[state].end()
    }
    await comesBack()
  },
)

test('afterwards every read is answered again', async () => {
  await expect.poll(() => refusedReads(service, requests), LONG).toEqual([])
})

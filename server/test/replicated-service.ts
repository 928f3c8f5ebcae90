// A test service on a primary and one standby, from which it reads.
import type { Config } from '../config/config.ts'
import type { ReplicaUse } from '../context.ts'
import type { PrimaryReason, Replicas } from '../db/replicas/replicas.ts'
import type { Pages } from '../pages/pages.ts'
import { buildTestService, type TestService } from './build-app.ts'
import { addTestCells } from './cells.ts'
import { type Standby, startPrimary, startStandby, type TestServer } from './standby.ts'

export interface ReplicatedService {
  primary: TestServer
  standby: Standby
  service: TestService
  replicas: Replicas<ReplicaUse>
  /** The number of reads of a kind so far, by the replica, or by the primary for the given reason. */
  reads(kind: string, by: 'replica' | PrimaryReason): number
  /** Waits until the standby has replayed everything and the service has noticed. */
  caughtUp(): Promise<void>
}

/** Call it at the top of a test file. @param hasCells also adds two cells, without standbys */
export async function buildReplicatedService(
  overrides: Partial<Config> = {},
  { hasCells = false, pages }: { hasCells?: boolean; pages?: Pages } = {},
): Promise<ReplicatedService> {
  const primary = await startPrimary()
  const standby = await startStandby(primary)
  const service = await buildTestService(
    { replicas: [{ cell: undefined, databaseUrl: standby.databaseUrl }], ...overrides },
    pages,
    {
      pool: primary.pool,
      connection: primary.connection,
      ...(hasCells && (await addTestCells(primary.pool))),
    },
  )
  const { replicas } = service.ctx.cells.of(0)
  if (!replicas) throw new Error('There are no replicas')
  await replicas.start()
  return {
    ...{ primary, standby, service, replicas },
    reads: (kind, by) =>
      replicas.counts
        .filter((one) => one.kind === kind)
        .filter(({ reason }) => reason === (by === 'replica' ? '' : by))
        .reduce((sum, { count }) => sum + count, 0),
    async caughtUp() {
      await standby.caughtUp()
      await replicas.poll()
    },
  }
}

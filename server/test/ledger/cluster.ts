// A cluster under the load of the ledger: a directory, three cells, two API nodes and two workers, with a proxy between
// each process and each database.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../config/config.ts'
import type { Context } from '../../context.ts'
import { openPool, type Pool } from '../../db/pool.ts'
import { type ClusterDatabase, environmentOf, startDatabases } from '../../operations/cluster/databases.ts'
import { type ClusterNode, KINDS, startNode } from '../../operations/cluster/nodes.ts'
import { buildTestService, type TestService } from '../build-app.ts'
import { CHILD_ENVIRONMENT } from '../child-environment.ts'
import { type FaultProxy, startFaultProxy } from '../faults/proxy.ts'
import { environment } from '../faults/stage.ts'
import { temporaryFolder } from '../temporary-folder.ts'

export interface LedgerDatabase {
  name: string
  /** The number of the cell; 0: the directory. */
  cell: number
  pool: Pool
  /** The context of the cell, without a proxy. */
  ctx: Context
  /** Proxies by the names of nodes. */
  proxies: ReadonlyMap<string, FaultProxy>
  /** Kills its server (kill -9), which is restarted immediately. */
  kill(): Promise<void>
}

export interface Cluster {
  service: TestService
  databases: readonly LedgerDatabase[]
  nodes: readonly ClusterNode[]
  /** The cell of each organization, by its number. */
  homes: Map<number, number>
  /** The environment of commands, which connect to the databases without a proxy. */
  environment: Record<string, string>
  close(): Promise<void>
}

interface Opened {
  folder: string
  database: ClusterDatabase
  pool: Pool
  proxies: Map<string, FaultProxy>
}

async function openDatabases(folder: string): Promise<Opened[]> {
  const config = readConfig({ LOG_LEVEL: 'silent' })
  const databases = await startDatabases(config, { folder, onNotice: () => undefined })
  return Promise.all(
    databases.map(async (database) => {
      const { connection } = database.database
      const pool = openPool({ connection, max: 10, statementTimeoutMs: 30_000, onError: () => undefined })
      const proxies = KINDS.map(async ({ name }) => [name, await startFaultProxy(connection)] as const)
      return { folder, database, pool, proxies: new Map(await Promise.all(proxies)) }
    }),
  )
}

async function serve(opened: readonly Opened[], secretsKey: Buffer): Promise<TestService> {
  const [directory, ...cells] = opened
  if (!directory) throw new Error('There is no directory')
  return buildTestService({ secretsKeys: [secretsKey] }, undefined, {
    pool: directory.pool,
    connection: directory.database.database.connection,
    cells: cells.map(({ database: { name, database }, pool }, place) => ({
      ...{ cell: place + 1, name, pool, connection: database.connection },
    })),
    addresses: cells.map(({ database: { name, url } }) => ({ name, databaseUrl: url })),
  })
}

const ledgerDatabaseOf = (
  { folder, database, pool, proxies }: Opened,
  cell: number,
  service: TestService,
): LedgerDatabase => ({
  ...{ name: database.name, cell, pool, proxies },
  ctx: service.ctx.cells.of(cell),
  async kill() {
    const file = await readFile(join(folder, database.name, 'postgres', 'postmaster.pid'), 'utf8')
    process.kill(Number.parseInt(file, 10), 'SIGKILL')
  },
})

/** The addresses of the databases for one process, through its proxies. */
function addressesFor(node: string, opened: readonly Opened[]): Map<string, string> {
  return new Map(
    opened.map(({ database, proxies }) => {
      const { user = '', password, database: name } = database.database.connection
      const port = proxies.get(node)?.port
      return [
        database.name,
        `postgresql://${user}:${encodeURIComponent(String(password))}@127.0.0.1:${port}/${name}`,
      ]
    }),
  )
}

function environmentWith(addresses: ReadonlyMap<string, string>, folder: string, secretsKey: Buffer) {
  const { ROLE: _, RATE_LIMIT_STORE: __, ...common } = environment(folder, secretsKey)
  return {
    ...{ ...CHILD_ENVIRONMENT, ...common, ...environmentOf(addresses) },
    ...{ LOG_LEVEL: 'fatal', AUTH_SECRET: 'ledger-tests-k3J9xTq7Wm2Zc8Rb5Vn1Lp6Hd4Gf0SyA' },
  }
}

const startNodes = (folder: string, opened: readonly Opened[], secretsKey: Buffer) =>
  Promise.all(
    KINDS.map((kind) => {
      const env = environmentWith(addressesFor(kind.name, opened), folder, secretsKey)
      return startNode(kind, env, () => undefined).started
    }),
  )

/** Call it in beforeAll. */
export async function openCluster(secretsKey: Buffer): Promise<Cluster> {
  const folder = await temporaryFolder('ledger-cluster')
  const opened = await openDatabases(folder)
  const service = await serve(opened, secretsKey)
  const nodes = await startNodes(folder, opened, secretsKey)
  const close = async () => {
    for (const { child, exited } of nodes) {
      child.kill('SIGKILL')
      await exited
    }
    for (const { proxies, pool, database } of opened) {
      for (const proxy of proxies.values()) await proxy.close()
      await pool.close()
      await database.database.stop()
    }
  }
  const urls = new Map(opened.map(({ database: { name, url } }) => [name, url]))
  return {
    ...{ service, nodes, homes: new Map(), environment: environmentWith(urls, folder, secretsKey) },
    databases: opened.map((one, cell) => ledgerDatabaseOf(one, cell, service)),
    close,
  }
}

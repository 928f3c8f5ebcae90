// The service on its embedded server, whose files are on a separate small disk if this machine allows mounting one.
import { spawnSync } from 'node:child_process'
import { mkdir, readFile, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientConfig } from 'pg'
import { DATABASE_NAME } from '../../db/database.ts'
import { passwordFile } from '../../db/embedded/cluster.ts'
import { socketPort } from '../../db/embedded/folder.ts'
import { SERVICE_ROLE } from '../../db/embedded/service-role.ts'
import { openPool } from '../../db/pool.ts'
import { afterFile } from '../after-file.ts'
import { buildTestService } from '../build-app.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { beginLoad, environment, furnish, type Setting, type Stage } from './stage.ts'

const DISK_MB = 700

/** A file system in memory that only its process sees, and that ends with the process. */
export const ON_SMALL_DISK = [
  ...['unshare', '--user', '--map-root-user', '--mount', '/bin/sh', '-c'],
  `mount -t tmpfs -o size=${DISK_MB}m tmpfs "$DATA_DIR" && exec "$@"`,
  'sh',
]

/** Some kernels and containers do not allow namespaces. */
export function mayMountDisk(): boolean {
  const [program = '', ...words] = [...ON_SMALL_DISK, 'true']
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: tmpdir() }
  return spawnSync(program, words, { env }).status === 0
}

const GIB = 1024 ** 3
/** More than other programs write or remove during a test. */
const MARGIN_BYTES = 2 * GIB

/** In place of a small disk: settings with which this disk counts as full after `BALLAST_BYTES` more. */
export async function nearlyFull(): Promise<Record<string, string>> {
  const { bavail, bsize } = await statfs(tmpdir())
  return { DISK_FREE_MIN_BYTES: String(Math.max(0, bavail * bsize - MARGIN_BYTES)) }
}

export const BALLAST_BYTES = MARGIN_BYTES + GIB

export interface EmbeddedStage extends Stage {
  /** DATA_DIR as a path that this process can read. */
  dataDir: string
  onSmallDisk: boolean
}

export async function connectionTo(dataDir: string): Promise<ClientConfig> {
  const password = await readFile(join(dataDir, 'postgres', passwordFile), 'utf8')
  const host = join(dataDir, 'postgres-run')
  return { host, port: socketPort, user: SERVICE_ROLE, password, database: DATABASE_NAME }
}

interface EmbeddedOptions {
  onSmallDisk: boolean
  /** Further environment variables. */
  more?: Record<string, string>
  /** Receives every line of the service's log. */
  onLog?: (line: string) => void
}

/** The stage is closed after the tests of the file. */
export async function openEmbeddedStage(
  setting: Setting,
  { onSmallDisk, more = {}, onLog = () => undefined }: EmbeddedOptions,
): Promise<EmbeddedStage> {
  const folder = await temporaryFolder('faults')
  const env = { ...environment(folder, setting.secretsKey), ...more }
  await mkdir(env.DATA_DIR)
  const launcher = onSmallDisk ? ON_SMALL_DISK : []
  const life = await setting.lives.begin({ env, launcher, onLog })
  afterFile(() => life.stop())
  const dataDir = onSmallDisk ? join(`/proc/${life.pid}/root`, env.DATA_DIR) : env.DATA_DIR
  const connection = await connectionTo(dataDir)
  const db = openPool({ connection, max: 10, statementTimeoutMs: 30_000, onError: () => undefined })
  afterFile(() => db.close())
  const service = await buildTestService({ secretsKeys: [setting.secretsKey] }, undefined, {
    ...{ pool: db, connection },
  })
  const furniture = await furnish(service, setting)
  const load = await beginLoad(furniture.world, life, setting.seed)
  afterFile(() => load.gate.close())
  return { db, ...furniture, ...load, life, dataDir, onSmallDisk }
}

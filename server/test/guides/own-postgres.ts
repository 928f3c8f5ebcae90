// A PostgreSQL of an operator: it listens on TCP, has pg_hba.conf and certificates of its own, the role postgres, and the
// encoding that a machine without a locale gives it.

import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findBinaries } from '../../db/embedded/binaries.ts'
import { giveTo } from '../../db/embedded/cluster.ts'
import { openFolder } from '../../db/embedded/folder.ts'
import { findLauncher, spawnOptions } from '../../db/embedded/launcher.ts'
import { acceptsConnection, spawnServer } from '../../db/embedded/server.ts'
import { afterFile } from '../after-file.ts'
import { freePort, until } from './shell.ts'

export interface OwnPostgres {
  port: number
  /** Of files that the server reads, such as its certificate. */
  folder: string
  /** As the superuser. */
  ask(sql: string): Promise<void>
}

interface Options {
  /** Lines of pg_hba.conf, beside the superuser's. */
  access: string
  /** Lines of postgresql.conf. @param folder as above */
  settings?: (folder: string) => string
  /** Before it starts, such as files that its settings name. @param folder as above */
  prepare?: (folder: string) => Promise<void>
}

/** Call it at the top of a test file; it is stopped after its tests. */
export async function startOwnPostgres({ access, settings, prepare }: Options): Promise<OwnPostgres> {
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-own-'))
  afterFile(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }))
  // Where root's server runs as another account, that must get in.
  await chmod(dataDir, 0o755)
  const folder = await openFolder(dataDir)
  const binaries = findBinaries()
  const launcher = await findLauncher(binaries, folder)
  const files = join(folder.dataDir, 'files')
  await mkdir(files)
  await prepare?.(files)
  await giveTo(folder.dataDir, launcher.account)
  const [program = '', ...words] = [...launcher.prefix, binaries.initdb, '-D', folder.cluster]
  const initdb = [...words, '--username=postgres', '--auth=trust', '--no-sync', '--no-instructions']
  await promisify(execFile)(program, initdb, spawnOptions(launcher.account))
  await writeFile(join(folder.cluster, 'pg_hba.conf'), `local all postgres trust\n${access}`)
  const port = await freePort()
  const place = `port = ${port}\nlisten_addresses = 'localhost'\nunix_socket_directories = '${folder.dataDir}'`
  const lines = `fsync = off\nshared_buffers = 32MB\n${place}\n${settings?.(files) ?? ''}`
  await writeFile(join(folder.cluster, 'postgresql.conf'), lines)
  const server = spawnServer(launcher, binaries, ['-D', folder.cluster], join(folder.run, 'log'))
  afterFile(() => server.stop())
  const connection = { host: folder.dataDir, port, user: 'postgres', database: 'postgres' }
  await until(() => acceptsConnection(connection), 'PostgreSQL accepts connections')
  return {
    port,
    folder: files,
    async ask(sql) {
      const client = new pg.Client(connection)
      await client.connect()
      // Each by itself: `create database` refuses to be one of several.
      for (const statement of sql.split(';\n').filter((one) => one.trim() !== ''))
        await client.query(statement)
      await client.end()
    },
  }
}

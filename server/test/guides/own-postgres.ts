// A PostgreSQL like an operator's: it listens on TCP, and has its own pg_hba.conf and certificates, the role postgres,
// and the default encoding of a machine without a locale.

import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Binaries, findBinaries } from '../../db/embedded/binaries.ts'
import { giveTo } from '../../db/embedded/cluster.ts'
import { type EmbeddedFolder, openFolder } from '../../db/embedded/folder.ts'
import { findLauncher, type Launcher, spawnOptions } from '../../db/embedded/launcher.ts'
import { acceptsConnection, spawnServer } from '../../db/embedded/server.ts'
import { afterFile } from '../after-file.ts'
import { serverFolder } from '../temporary-folder.ts'
import { freePort, until } from './shell.ts'

export interface OwnPostgres {
  port: number
  /** The folder of files that the server reads, such as its certificate. */
  folder: string
  /** Runs statements as the superuser. */
  ask(sql: string): Promise<void>
  /** Starts a second server in a data directory that `fill` copies from this one. @returns its port */
  startCopy(fill: (directory: string) => Promise<unknown>): Promise<number>
}

interface Options {
  /** Lines of pg_hba.conf, in addition to the superuser's. */
  access: string
  /** Lines of postgresql.conf. @param folder as above */
  settings?: (folder: string) => string
  /** Called before the server starts, for example to write files that its settings name. @param folder as above */
  prepare?: (folder: string) => Promise<void>
}

interface Site {
  folder: EmbeddedFolder
  binaries: Binaries
  launcher: Launcher
}

async function openSite(): Promise<Site> {
  const dataDir = await serverFolder('own')
  const folder = await openFolder(dataDir)
  const binaries = findBinaries()
  return { folder, binaries, launcher: await findLauncher(binaries, folder) }
}

async function initialize({ folder, binaries, launcher }: Site): Promise<void> {
  const [program = '', ...words] = [...launcher.prefix, binaries.initdb, '-D', folder.cluster]
  const initdb = [...words, '--username=postgres', '--auth=trust', '--no-sync', '--no-instructions']
  await promisify(execFile)(program, initdb, spawnOptions(launcher.account))
}

const connectionTo = ({ folder }: Site, port: number) => ({
  ...{ host: folder.dataDir, port, user: 'postgres', database: 'postgres' },
})

/** The port is not in postgresql.conf, because a copy of the server has the same file. @returns the port */
async function start(site: Site): Promise<number> {
  const { folder, binaries, launcher } = site
  const port = await freePort()
  const place = { port, listen_addresses: 'localhost', unix_socket_directories: folder.dataDir }
  const words = Object.entries(place).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const server = spawnServer(launcher, binaries, ['-D', folder.cluster, ...words], join(folder.run, 'log'))
  afterFile(() => server.stop())
  await until(() => acceptsConnection(connectionTo(site, port)), 'PostgreSQL accepts connections')
  return port
}

/** The server stops after the tests of the file. */
export async function startOwnPostgres({ access, settings, prepare }: Options): Promise<OwnPostgres> {
  const site = await openSite()
  const { dataDir, cluster } = site.folder
  const files = join(dataDir, 'files')
  await mkdir(files)
  await prepare?.(files)
  await giveTo(dataDir, site.launcher.account)
  await initialize(site)
  await writeFile(join(cluster, 'pg_hba.conf'), `local all postgres trust\n${access}`)
  const lines = `fsync = off\nshared_buffers = 32MB\n${settings?.(files) ?? ''}`
  await writeFile(join(cluster, 'postgresql.conf'), lines)
  const port = await start(site)
  return {
    port,
    folder: files,
    async ask(sql) {
      const client = new pg.Client(connectionTo(site, port))
      await client.connect()
      // One statement per query: `create database` cannot run together with others.
      for (const statement of sql.split(';\n').filter((one) => one.trim() !== ''))
        await client.query(statement)
      await client.end()
    },
    async startCopy(fill) {
      const copy = await openSite()
      await fill(copy.folder.cluster)
      await giveTo(copy.folder.dataDir, copy.launcher.account)
      return start(copy)
    },
  }
}

// A PostgreSQL that is set up as in docs/operators/database.md: its certificates, its settings and its access.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts'
import { blockWith, replaced, type Shell } from './shell.ts'

export interface GuideServer extends OwnPostgres {
  /** The path of the certificate of its authority. */
  authority: string
}

const FILES = ['server.crt', 'server.key']

/** The server stops after the tests of the file. @param access further lines of pg_hba.conf */
export async function startGuideServer(shell: Shell, access = ''): Promise<GuideServer> {
  const commands = replaced(blockWith('database', 'openssl'), { 'db.internal': 'localhost' })
  await shell.run(`(cd ${shell.folder}; ${commands})`)
  const [settings = '', lines = ''] = blockWith('database', 'ssl_cert_file').split('# pg_hba.conf')
  const own = replaced(lines.slice(lines.indexOf('\n') + 1), { '10.0.0.0/24': 'localhost' })
  const server = await startOwnPostgres({
    access: `${own}${access}`,
    settings: (folder) => replaced(settings, { '/etc/postgresql': folder }),
    prepare: async (folder) => {
      for (const name of FILES) await copyFile(join(shell.folder, name), join(folder, name))
    },
  })
  await server.ask(replaced(blockWith('database', 'create role rapport'), { '…': 'secret' }))
  return { ...server, authority: join(shell.folder, 'db-ca.pem') }
}

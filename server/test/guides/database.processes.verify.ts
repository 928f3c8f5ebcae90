// docs/operators/database.md, typed into a shell, on a server with the settings and certificates of that page.
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOwnPostgres } from './own-postgres.ts'
import { blockWith, openShell, replaced } from './shell.ts'

const shell = await openShell()
const authority = replaced(blockWith('database', 'openssl'), { 'db.internal': 'localhost' })
await shell.run(`(cd ${shell.folder}; ${authority})`)

const [settings = '', access = ''] = blockWith('database', 'ssl_cert_file').split('# pg_hba.conf')
const FILES = ['server.crt', 'server.key']
const server = await startOwnPostgres({
  access: replaced(access.slice(access.indexOf('\n') + 1), { '10.0.0.0/24': 'localhost' }),
  settings: (folder) => replaced(settings, { '/etc/postgresql': folder, "'*'": "'localhost'" }),
  prepare: async (folder) => {
    for (const name of FILES) await copyFile(join(shell.folder, name), join(folder, name))
  },
})
const address = { 'rapport:…@db.internal/': `rapport:secret@localhost:${server.port}/` }

test('the role and its database, and a service that checks the certificate', async () => {
  await server.ask(replaced(blockWith('database', 'create role rapport'), { '…': 'secret' }))
  const block = replaced(blockWith('database', 'sslmode'), {
    ...address,
    '/etc/rapport/db-ca.pem': join(shell.folder, 'db-ca.pem'),
  })
  expect(await shell.start(block)).toMatch(/^ssl +version\nt +TLSv1\.3\n$/)
  expect(await shell.run('npx rapport doctor')).toMatch(
    /^ok +database +PostgreSQL 18\S*, external \(DATABASE_URL\)/m,
  )
  await shell.stop()
})

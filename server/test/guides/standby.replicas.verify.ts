// Runs the commands of docs/operators/read-replicas.md: a standby of the server of docs/operators/database.md.
import { expect, test } from 'vitest'
import { hasTools, TOOLS_PATH } from '../postgres-tools.ts'
import { startGuideServer } from './guide-server.ts'
import { blockWith, openShell, replaced } from './shell.ts'

test.runIf(hasTools)('pg_basebackup makes a standby, and the service reads from it', async () => {
  const shell = await openShell({ PATH: TOOLS_PATH })
  const primary = await startGuideServer(shell, 'hostssl replication replicator localhost scram-sha-256\n')
  await primary.ask(replaced(blockWith('read-replicas', 'create role replicator'), { '…': 'secret' }))
  const copy = blockWith('read-replicas', 'pg_basebackup')
  const port = await primary.startCopy((directory) =>
    shell.run(
      replaced(copy, {
        '…@db1.internal/': `secret@localhost:${primary.port}/`,
        '/etc/postgresql/db-ca.pem': primary.authority,
        '/var/lib/postgresql/18/main': directory,
      }),
    ),
  )
  const addressAt = (at: number) =>
    `postgres://rapport:secret@localhost:${at}/rapport?sslmode=verify-full&sslrootcert=${primary.authority}`
  const block = replaced(blockWith('read-replicas', 'DATABASE_REPLICA_URLS'), {
    'postgres://rapport:…@db1.internal/rapport': addressAt(primary.port),
    'postgres://rapport:…@db2.internal/rapport postgres://rapport:…@db3.internal/rapport': addressAt(port),
  })
  await shell.start(`${block}npm start\n`)
  await expect.poll(() => shell.run('npx rapport doctor || true')).toMatch(/^ok +replica /m)
  await shell.stop()
})

// Runs the commands of docs/operators/database.md on a server with the settings and certificates of that page.
import { expect, test } from 'vitest'
import { startGuideServer } from './guide-server.ts'
import { blockWith, openShell, replaced } from './shell.ts'

const shell = await openShell()
const server = await startGuideServer(shell)

test('the commands start a service that checks the certificate', async () => {
  const block = replaced(blockWith('database', 'sslmode'), {
    'rapport:…@db.internal/': `rapport:secret@localhost:${server.port}/`,
    '/etc/rapport/db-ca.pem': server.authority,
  })
  expect(await shell.start(block)).toMatch(/^ssl +version\nt +TLSv1\.3\n$/)
  expect(await shell.run('npx rapport doctor')).toMatch(
    /^ok +database +PostgreSQL 18\S*, external \(DATABASE_URL\)/m,
  )
  await shell.stop()
})

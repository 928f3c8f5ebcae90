// Runs the commands of docs/operators/read-replicas.md: a service that reads from two standbys.
import { expect, test } from 'vitest'
import { startPrimary, startStandby } from '../standby.ts'
import { blockWith, openShell, replaced } from './shell.ts'

const primary = await startPrimary()
const FEEDBACK = { hot_standby_feedback: 'on' }
const standbys = [await startStandby(primary, FEEDBACK), await startStandby(primary, FEEDBACK)]
const shell = await openShell()

test('the service reads from the standbys, and rapport doctor checks each', async () => {
  const block = replaced(blockWith('read-replicas', 'DATABASE_REPLICA_URLS'), {
    'postgres://rapport:…@db1.internal/rapport': primary.databaseUrl,
    'postgres://rapport:…@db2.internal/rapport': standbys[0]?.databaseUrl ?? '',
    'postgres://rapport:…@db3.internal/rapport': standbys[1]?.databaseUrl ?? '',
  })
  await shell.start(`${block}npm start\n`)
  await expect
    .poll(() => shell.run('npx rapport doctor || true'))
    .toMatch(/^ok +replica .*\n(?:.*\n)*ok +replica /m)
  await shell.stop()
})

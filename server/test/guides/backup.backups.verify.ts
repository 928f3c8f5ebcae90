// Runs the commands of docs/operators/backup.md in a shell.
import { expect, test } from 'vitest'
import { blockWith, openShell, replaced } from './shell.ts'

const shell = await openShell({ BACKUP_WAL_SECONDS: '1' })
const place = `${shell.folder}/disk/rapport`
const copy = `${shell.folder}/restored`

interface Listed {
  restorableUntil: string | null
}

const list = async (): Promise<Listed[]> => JSON.parse(await shell.run('npx rapport backup list --json'))

const create = (name: string) =>
  shell.run(
    `npx rapport org create --name ${name} --owner-name Ada --owner-email ada@example.com --owner-password 'correct horse'`,
  )

test('the commands make, list, verify and restore a backup, and start the service from the new folder', async () => {
  const setUp = blockWith('backup', 'backup init')
  expect(await shell.start(replaced(setUp, { '/mnt/backups/rapport': place }))).toContain(
    `${place} is prepared for backups.`,
  )
  // The service makes the first backup by itself, and refuses a second one at the same time.
  await expect.poll(list).toHaveLength(1)
  await create('Kept')
  const until = new Date().toISOString()
  await create('Later')
  expect(await shell.run('npx rapport backup')).toMatch(/^Backup \S+: \d+\.\d MB, 0 files, of /)
  expect(await shell.run('npx rapport backup verify')).toMatch(/The backup can be restored\.\n$/)
  await shell.stop()

  const restore = blockWith('backup', 'rapport restore')
  const here = replaced(restore, { '2026-11-23T16:04:59Z': until, '/var/lib/rapport-restored': copy })
  const printed = await shell.start(here)
  expect(printed).toMatch(/^ID +RESTORES FROM +UNTIL +SIZE +ENCRYPTED +VERIFIED\n(?:\S+ .* yes .*\n){2}/)
  expect(printed).toContain(`Start the service with DATA_DIR=${copy}.`)
  expect(printed).toMatch(/^ok +backup +/m)
  expect(await shell.run(`DATA_DIR=${copy} npx rapport org list`)).toMatch(/^kept /m)
  expect(await shell.run(`DATA_DIR=${copy} npx rapport org list`)).not.toContain('later')
  await shell.stop()
})

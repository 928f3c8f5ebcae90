import { expect, test } from 'vitest'
import { backup, parseBackupTarget } from '../../config/backup-config.ts'
import { isArchivedTo, openBackups } from './open.ts'

const ENV = { S3_BUCKET: 'files', S3_REGION: 'eu-1', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' }

test.each([
  ['/mnt/backups', '/mnt/backups/', true],
  ['/mnt/backups', '/mnt/other/../backups', true],
  ['/mnt/backups', '/mnt/backups/rapport', false],
  ['s3://backups/rapport', 's3://backups/rapport/', true],
  ['s3://backups/rapport', 's3://backups/other', false],
  ['', '/mnt/backups', false],
])('whether the service with BACKUP_URL=%s archives to %s: %s', async (url, to, expected) => {
  const env = { ...ENV, BACKUP_URL: url }
  const vault = openBackups(parseBackupTarget(env, to, '--to'), undefined)
  expect(await isArchivedTo(backup(env), vault)).toBe(expected)
  await vault.store.close()
})

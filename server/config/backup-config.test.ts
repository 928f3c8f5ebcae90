import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const backup = (env: Record<string, string>) => readConfig(env).backup
const S3 = { S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret', S3_REGION: 'eu-west-1' }

describe('the place of backups', () => {
  test('is a folder, or a folder of a bucket with the access for files or with separate access', () => {
    expect(backup({}).target).toBeUndefined()
    expect(backup({ BACKUP_URL: '/mnt/backups' }).target).toEqual({ path: '/mnt/backups' })
    expect(backup({ ...S3, BACKUP_URL: 's3://copies/rapport/prod/' }).target).toMatchObject({
      access: { bucket: 'copies', accessKeyId: 'id', region: 'eu-west-1', forcePathStyle: false },
      folder: 'rapport/prod',
    })
    const own = { BACKUP_S3_ENDPOINT: 'https://minio.example.com', BACKUP_S3_ACCESS_KEY_ID: 'other' }
    expect(backup({ ...S3, ...own, BACKUP_URL: 's3://copies' }).target).toMatchObject({
      access: { endpoint: 'https://minio.example.com', accessKeyId: 'other', forcePathStyle: true },
      folder: '',
    })
  })

  test.each(['backups', 'https://example.com', 's3://', 's3://copies?x=1', 's3://copies/a b'])(
    'cannot be %s',
    (url) => {
      expect(() => backup({ ...S3, BACKUP_URL: url })).toThrow(
        'BACKUP_URL must be the absolute path of a folder, or s3://bucket/folder',
      )
    },
  )

  test('reports missing access to a bucket with the names of the backup settings', () => {
    expect(() => backup({ BACKUP_URL: 's3://copies' })).toThrow(
      /BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET/,
    )
  })
})

test('the schedule is a cron expression of five fields', () => {
  expect(backup({ BACKUP_SCHEDULE: '*/30 * * * 1-5' }).schedule).toBe('*/30 * * * 1-5')
  for (const text of ['daily', '0 3 * *', '0 0 3 * * *', '61 * * * *'])
    expect(() => backup({ BACKUP_SCHEDULE: text })).toThrow(ConfigError)
})

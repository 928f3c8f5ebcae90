import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import type { DescribedBackup } from '../backup/describe.ts'
import { isDue } from '../backup/engine.ts'
import { openFolderStore } from '../backup/folder-store.ts'
import type { BackupManifest } from '../backup/manifest.ts'
import { preparePlace } from '../backup/place.ts'
import { openVault } from '../backup/vault.ts'
import { historyOf } from '../backup/verification-history.ts'
import {
  checkBackup,
  judgeAge,
  judgeArchive,
  judgeDamage,
  judgeGaps,
  judgeOpening,
  judgeVerification,
} from './backup.ts'

const EVERY_NIGHT = '0 3 * * *'
const at = (text: string) => new Date(`2026-11-${text}Z`)
const backupOf = (text: string, verifiedAt: string | null = null) =>
  ({
    manifest: { id: 'b', endedAt: at(text).toISOString() },
    restorableUntil: null,
    gaps: [],
    verifiedAt,
    failedAt: null,
  }) as unknown as DescribedBackup

describe('the last backup', () => {
  test.each([
    ['is missing', undefined, '23T10:00', 'warn', /no backup yet/],
    [
      'is from last night',
      backupOf('23T03:00:10'),
      '23T10:00',
      'ok',
      /b, is of 2026-11-23T03:00:10.000Z, not verified/,
    ],
    ['is verified', backupOf('23T03:00:10', 'then'), '23T10:00', 'ok', /, verified/],
    ['is old while the next is being made', backupOf('22T03:00:10'), '23T03:40', 'ok', /b/],
    ['is from the night before', backupOf('22T03:00:10'), '23T10:00', 'warn', /overdue/],
  ])('%s', (_, last, now, status, detail) => {
    expect(judgeAge(last, EVERY_NIGHT, at(now))).toMatchObject({
      status,
      detail: expect.stringMatching(detail),
    })
  })

  test('is due immediately if there is none, then by the schedule, also after missed times', () => {
    expect(isDue(EVERY_NIGHT, undefined, at('23T10:00'))).toBe(true)
    expect(isDue(EVERY_NIGHT, at('23T03:00:10'), at('24T02:59'))).toBe(false)
    expect(isDue(EVERY_NIGHT, at('23T03:00:10'), at('24T03:00'))).toBe(true)
    expect(isDue(EVERY_NIGHT, at('20T03:00:10'), at('23T10:00'))).toBe(true)
  })
})

test('an archive that is behind is reported, but not one that is behind only for a short time', () => {
  const behind = (bytes: number, text: string) =>
    judgeArchive({ bytes, archivedUntil: at(text) }, 60, at('23T10:00'))?.detail
  expect(behind(50_000_000, '23T09:50')).toMatch(/archived until 2026-11-23T09:50:00.000Z only/)
  expect(behind(50_000_000, '23T09:58')).toBeUndefined()
  expect(behind(1000, '22T09:50')).toBeUndefined()
})

test('a gap after the last backup is a failure that names the last time to restore to', () => {
  const last = { ...backupOf('23T03:00'), gaps: ['A is missing'], restorableUntil: '2026-11-23T03:00Z' }
  expect(judgeGaps(last)).toMatchObject([
    { status: 'fail', detail: 'A is missing, so it can be restored until 2026-11-23T03:00Z only' },
  ])
  expect(judgeGaps(backupOf('23T03:00'))).toEqual([])
})

describe('a backup with a damaged manifest', () => {
  const damaged = [{ chain: 'c', id: '20261122t030000z-0001' }]
  const whole = (id: string) => ({ manifest: { id } }) as unknown as DescribedBackup
  const folder = /delete c\/backups\/20261122t030000z-0001 in the store/

  test('is a failure until there is a newer, complete backup', () => {
    expect(judgeDamage({ damaged, backups: [whole('20261121t030000z-0009')] })).toMatchObject([
      { status: 'fail', advice: expect.stringMatching(/^make a new backup/) },
    ])
    expect(judgeDamage({ damaged, backups: [whole('20261123t030000z-0000')] })).toMatchObject([
      { status: 'warn', advice: expect.stringMatching(/^delete/) },
    ])
    expect(judgeDamage({ damaged: [], backups: [] })).toEqual([])
  })

  test('should be deleted by the operator, because retention keeps it', () => {
    for (const backups of [[], [whole('20261123t030000z-0000')]])
      expect(judgeDamage({ damaged, backups })[0]?.advice).toMatch(folder)
  })
})

describe('the key of the last backup', () => {
  const vaultOf = (byte?: number) =>
    openVault(openFolderStore(tmpdir()), byte === undefined ? undefined : [Buffer.alloc(32, byte)])
  const made = (manifest: Partial<BackupManifest>) =>
    ({ manifest: { id: 'b', ...manifest } }) as unknown as DescribedBackup
  const plain = made({ isEncrypted: false })

  test('a backup from before BACKUP_KEY was set can be restored, but a new backup is advised', () => {
    expect(judgeOpening(vaultOf(), plain)).toEqual([])
    expect(judgeOpening(vaultOf(1), plain)).toMatchObject([
      {
        status: 'warn',
        detail: expect.stringMatching(/use rapport restore --unauthenticated$/),
        advice: 'make a backup now by rapport backup',
      },
    ])
  })

  test.each([
    ['no key', undefined, {}, /none that can be restored$/],
    ['an encrypted one without a MAC', 1, {}, /^make a backup now/],
    ['another key', 1, { mac: 'AAAA' }, /none that can be restored$/],
  ])('%s is a failure', (_, byte, manifest, advice) => {
    expect(judgeOpening(vaultOf(byte), made({ isEncrypted: true, ...manifest }))).toMatchObject([
      { status: 'fail', advice: expect.stringMatching(advice) },
    ])
  })
})

describe('the last verification', () => {
  const passed = (text: string) => backupOf('01T03:00', at(text).toISOString())
  test.each([
    ['is missing before the first is due', backupOf('22T03:00'), 'ok', /no backup was verified yet/],
    ['is missing long after the first was due', backupOf('01T03:00'), 'warn', /no backup was verified yet/],
    ['passed', passed('22T03:00'), 'ok', /verified at 2026-11-22/],
    ['passed too long ago', passed('20T03:00'), 'warn', /verified at 2026-11-20/],
    [
      'failed after an earlier one passed',
      { ...passed('22T03:00'), failedAt: at('23T03:00').toISOString() },
      'fail',
      /failed its verification at 2026-11-23/,
    ],
  ])('%s', (_, backup, status, detail) => {
    expect(judgeVerification(historyOf([backup], undefined), 24, at('23T10:00'))).toMatchObject({
      status,
      detail: expect.stringMatching(detail),
    })
  })
})

describe('without a backup', async () => {
  const folder = await temporaryFolder('doctor')
  const check = async (env: Record<string, string>) => checkBackup(readConfig(env), undefined, at('23T10:00'))

  test('a service in production is warned, a service in development is not', async () => {
    expect(await check({ NODE_ENV: 'production' })).toMatchObject([
      { status: 'warn', advice: expect.stringMatching(/BACKUP_URL/) },
    ])
    expect(await check({})).toMatchObject([{ status: 'ok' }])
    expect(await check({ DATABASE_URL: 'postgres://db.example.com/rapport' })).toEqual([])
  })

  test('a place that is empty, was not prepared or cannot be used is reported', async () => {
    expect(await check({ BACKUP_URL: folder })).toMatchObject([
      { status: 'fail', detail: expect.stringMatching(/was not prepared: mount its disk/) },
    ])
    await preparePlace(openFolderStore(folder))
    expect(await check({ BACKUP_URL: folder })).toMatchObject([
      { status: 'warn', detail: 'there is no backup yet' },
      { check: 'backup key', status: 'warn', detail: expect.stringMatching(/BACKUP_KEY is not set/) },
    ])
    const key = randomBytes(32).toString('base64')
    expect(await check({ BACKUP_URL: folder, BACKUP_KEY: key })).toHaveLength(1)
    const s3 = { BACKUP_S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' }
    expect(await check({ ...s3, BACKUP_URL: 's3://copies' })).toMatchObject([
      { check: 'backup', status: 'fail' },
    ])
  })
})

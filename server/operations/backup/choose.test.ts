import { expect, test } from 'vitest'
import type { BackupManifest } from './manifest.ts'
import { chooseBackup } from './restore.ts'

const backup = (id: string, endedAt: string) => ({ id, endedAt }) as BackupManifest
const [first, second] = [
  backup('20261120t030000z-0001', '2026-11-20T03:10:00.000Z'),
  backup('20261121t030000z-0002', '2026-11-21T03:10:00.000Z'),
]
const unreadable = [{ id: '20261119t030000z-0000' }]

test('chooses the newest backup that ended before the time', () => {
  expect(chooseBackup([first, second], {})).toBe(second)
  expect(chooseBackup([first, second], { to: new Date('2026-11-21T00:00:00Z'), unreadable })).toBe(first)
})

test('if no backup ended before the time, the error names backups without a readable manifest', () => {
  const choose = (more: object) => () =>
    chooseBackup([first, second], { to: new Date('2026-11-19T12:00:00Z'), ...more })
  expect(choose({})).toThrow(/^The oldest backup ended at 2026-11-20T03:10:00.000Z.*choose a later one$/)
  expect(choose({ unreadable })).toThrow(/no readable manifest, and may be older: 20261119t030000z-0000$/)
})

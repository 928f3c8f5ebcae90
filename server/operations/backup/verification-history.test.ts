import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openFolderStore } from './folder-store.ts'
import { historyOf, keepHistory, nextVerification, readHistory } from './verification-history.ts'

const at = (text: string) => new Date(`2026-11-${text}:00.000Z`)

describe('the next verification', () => {
  const firstBackupAt = at('01T00:00').toISOString()
  test.each<[string, string | null, string | null, string]>([
    ['is due that long after the first backup', null, null, '02T00:00'],
    ['is due that long after the last one that passed', '05T00:00', null, '06T00:00'],
    ['is tried again six hours after one that failed', '05T00:00', '06T01:00', '06T07:00'],
    ['is due as usual after one that passed', '05T00:00', '04T00:00', '06T00:00'],
  ])('%s', (_, passed, failed, due) => {
    const history = {
      firstBackupAt,
      lastPassedAt: passed && at(passed).toISOString(),
      lastFailedAt: failed && at(failed).toISOString(),
    }
    expect(new Date(nextVerification(history, 24))).toEqual(at(due))
  })
})

const backupOf = (endedAt: string, verifiedAt: string | null = null) => ({
  ...{ manifest: { endedAt }, verifiedAt, failedAt: null },
})

describe('what is kept of backups that were removed', () => {
  const CHAIN = '20261101t000000z-0001'
  const kept = {
    firstBackupAt: at('01T00:00').toISOString(),
    lastPassedAt: at('03T00:00').toISOString(),
    lastFailedAt: at('02T00:00').toISOString(),
  }

  test('counts together with the backups that there are', () => {
    expect(historyOf([backupOf(at('05T00:00').toISOString())], kept)).toEqual(kept)
    expect(historyOf([], kept)).toBeUndefined()
    const passed = at('06T00:00').toISOString()
    expect(historyOf([backupOf(at('05T00:00').toISOString(), passed)], kept)?.lastPassedAt).toBe(passed)
  })

  test('makes the next verification due, although no backup is as old', () => {
    const begun = { ...kept, lastPassedAt: null, lastFailedAt: null }
    const history = historyOf([backupOf(at('08T00:00').toISOString())], begun)
    expect(new Date(nextVerification(history ?? begun, 168))).toEqual(at('08T00:00'))
  })

  test('is stored once', async () => {
    const root = await mkdtemp(join(tmpdir(), 'rapport-history-'))
    onTestFinished(() => rm(root, { recursive: true }))
    const stored: string[] = []
    const folder = openFolderStore(root)
    const store: typeof folder = {
      ...folder,
      put: (name, ...words) => folder.put(name, ...words).finally(() => stored.push(name)),
    }
    expect(await readHistory(store, CHAIN)).toBeUndefined()
    await keepHistory(store, CHAIN, kept)
    await keepHistory(store, CHAIN, kept)
    expect(await readHistory(store, CHAIN)).toEqual(kept)
    expect(stored).toEqual([`${CHAIN}/verification.json`])
  })
})

import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { openFolderStore } from './folder-store.ts'
import { historyOf, keepHistory, nextVerification, readHistory } from './verification-history.ts'

const at = (text: string) => new Date(`2026-11-${text}:00.000Z`)

describe('the next verification', () => {
  const firstBackupAt = at('01T00:00').toISOString()
  test.each<[string, string | null, string | null, string]>([
    ['is due one interval after the first backup', null, null, '02T00:00'],
    ['is due one interval after the last success', '05T00:00', null, '06T00:00'],
    ['is due six hours after a failure', '05T00:00', '06T01:00', '06T07:00'],
    ['is due one interval after a success that follows a failure', '05T00:00', '04T00:00', '06T00:00'],
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

describe('the stored history of removed backups', () => {
  const CHAIN = '20261101t000000z-0001'
  const kept = {
    firstBackupAt: at('01T00:00').toISOString(),
    lastPassedAt: at('03T00:00').toISOString(),
    lastFailedAt: at('02T00:00').toISOString(),
  }

  test('is combined with the history of existing backups', () => {
    expect(historyOf([backupOf(at('05T00:00').toISOString())], kept)).toEqual(kept)
    expect(historyOf([], kept)).toBeUndefined()
    const passed = at('06T00:00').toISOString()
    expect(historyOf([backupOf(at('05T00:00').toISOString(), passed)], kept)?.lastPassedAt).toBe(passed)
  })

  test('can make the next verification due, although no existing backup is old enough', () => {
    const begun = { ...kept, lastPassedAt: null, lastFailedAt: null }
    const history = historyOf([backupOf(at('08T00:00').toISOString())], begun)
    expect(new Date(nextVerification(history ?? begun, 168))).toEqual(at('08T00:00'))
  })

  test('is stored only when it changes', async () => {
    const root = await temporaryFolder('history')
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

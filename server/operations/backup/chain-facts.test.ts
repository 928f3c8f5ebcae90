import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ChainSpan, candidates, readSpans } from './chain-facts.ts'
import { openFolderStore } from './folder-store.ts'
import type { BackupManifest } from './manifest.ts'
import { openVault } from './vault.ts'

const span = (chain: string, installation: string | null, from: string, until: string | null): ChainSpan => ({
  ...{ chain, installation, host: null, dataDir: null },
  from: `2026-11-${from}Z`,
  until: until && `2026-11-${until}Z`,
})
const at = (text: string) => new Date(`2026-11-${text}:00.000Z`)

const first = span('a', '1', '01T00:00:00.000', '10T00:00:00.000')
const restored = span('b', '1', '10T01:00:00.000', '20T00:00:00.000')
const copy = span('c', '1', '09T00:00:00.000', '20T00:00:00.000')
const other = span('d', '2', '15T00:00:00.000', '20T00:00:00.000')

describe('chains that may be meant', () => {
  test.each<[string, ChainSpan[], string | undefined, string[]]>([
    ['the only one', [first], undefined, ['a']],
    ['the one that a restored copy went on with', [first, restored], undefined, ['b']],
    ['the earlier one at its time', [first, restored], '09T00:00', ['a']],
    ['both where a copy ran at the same time', [first, copy], undefined, ['a', 'c']],
    ['the one that reaches the moment', [first, copy], '15T00:00', ['c']],
    ['both of two installations', [restored, other], undefined, ['b', 'd']],
    ['the one that there was', [restored, other], '14T00:00', ['b']],
    ['both where both have the moment', [restored, other], '16T00:00', ['b', 'd']],
    ['both where none reaches it', [restored, other], '25T00:00', ['b', 'd']],
    [
      'both where it is not known whose one is',
      [{ ...first, installation: null }, restored],
      undefined,
      ['a', 'b'],
    ],
    ['none before the first', [restored], '01T00:00', []],
  ])('%s', (_, spans, to, expected) => {
    expect(candidates(spans, to === undefined ? undefined : at(to)).map(({ chain }) => chain)).toEqual(
      expected,
    )
  })
})

/** @returns the installation that the log names, and how many of five segments were read for it */
async function lookWith(keys: Buffer[] | undefined): Promise<[string | null | undefined, number]> {
  const folder = await mkdtemp(join(tmpdir(), 'rapport-chain-facts-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = openFolderStore(folder)
  const chain = '20261123t000000z-0001'
  const segment = Buffer.alloc(100)
  segment.writeBigInt64LE(7n, 24)
  const writer = openVault(store, [Buffer.alloc(32, 1)])
  for (const number of [1, 2, 3, 4, 5]) await writer.put(`${chain}/wal/${number}`, segment)
  let read = 0
  const get = (name: string) => {
    if (name.includes('/wal/')) read++
    return store.get(name)
  }
  const backup = { chain, startedAt: '2026-11-23T00:00:00.000Z' } as BackupManifest
  const [found] = await readSpans(openVault({ ...store, get }, keys), [backup])
  return [found?.installation, read]
}

test('the log of an encrypted chain is not fetched as a whole to look whose it is', async () => {
  expect(await lookWith([Buffer.alloc(32, 1)])).toEqual(['7', 1])
  expect(await lookWith(undefined)).toEqual([null, 3])
})

import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
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

describe('the chains to choose from', () => {
  test.each<[string, ChainSpan[], string | undefined, string[]]>([
    ['the only chain', [first], undefined, ['a']],
    ['the chain that a restored copy continued', [first, restored], undefined, ['b']],
    ['the earlier chain for a time during it', [first, restored], '09T00:00', ['a']],
    ['both, if a copy ran at the same time', [first, copy], undefined, ['a', 'c']],
    ['the chain that reaches the time', [first, copy], '15T00:00', ['c']],
    ['both chains of two installations', [restored, other], undefined, ['b', 'd']],
    ['the chain that existed at the time', [restored, other], '14T00:00', ['b']],
    ['both, if both include the time', [restored, other], '16T00:00', ['b', 'd']],
    ['both, if neither reaches the time', [restored, other], '25T00:00', ['b', 'd']],
    [
      'both, if the installation of one is not known',
      [{ ...first, installation: null }, restored],
      undefined,
      ['a', 'b'],
    ],
    ['none before the first chain', [restored], '01T00:00', []],
  ])('%s', (_, spans, to, expected) => {
    expect(candidates(spans, to === undefined ? undefined : at(to)).map(({ chain }) => chain)).toEqual(
      expected,
    )
  })
})

/** @returns the installation that the log names, and how many of the five segments were read to find it */
async function lookWith(keys: Buffer[] | undefined): Promise<[string | null | undefined, number]> {
  const folder = await temporaryFolder('chain-facts')
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

test('finds the installation of an encrypted chain without reading the whole log', async () => {
  expect(await lookWith([Buffer.alloc(32, 1)])).toEqual(['7', 1])
  expect(await lookWith(undefined)).toEqual([null, 3])
})

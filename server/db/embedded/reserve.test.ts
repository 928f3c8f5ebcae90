import { chmod, chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { reservedBytes, reserveTarget, setReserve } from './reserve.ts'

const MIB = 1024 ** 2

async function runFolder(): Promise<string> {
  const run = await temporaryFolder('reserve')
  return run
}

test.each([
  ['is made if enough space remains', { held: 0, wanted: 64, free: 214 }, 64],
  ['waits for space', { held: 0, wanted: 64, free: 213 }, 0],
  ['is kept on a disk that fills', { held: 64, wanted: 64, free: 16 }, 64],
  ['is halved when no file of the log fits', { held: 64, wanted: 64, free: 15 }, 32],
  ['keeps its half for a recovery', { held: 32, wanted: 64, free: 0 }, 32],
  ['is not made on a full disk', { held: 0, wanted: 64, free: 0 }, 0],
  ['is full-sized again when there is space', { held: 32, wanted: 64, free: 182 }, 64],
  ['shrinks to a smaller setting', { held: 64, wanted: 8, free: 100 }, 8],
  ['is removed when the setting is 0', { held: 64, wanted: 0, free: 100 }, 0],
])('the reserve %s', (_, { held, wanted, free }, target) => {
  const facts = { heldBytes: held * MIB, wantedBytes: wanted * MIB, freeBytes: free * MIB }
  expect(reserveTarget({ ...facts, resumeBytes: 150 * MIB })).toBe(target * MIB)
})

test('setReserve grows, shrinks and removes the file', async () => {
  const run = await runFolder()
  for (const bytes of [3 * MIB, 5 * MIB + 10, MIB, 2 * MIB, 0, 0]) {
    await setReserve({ run }, bytes)
    expect(await reservedBytes({ run })).toBe(bytes)
  }
  await setReserve({ run }, MIB)
  const { blocks, mode } = await stat(join(run, 'reserve'))
  // A sparse file would reserve no space.
  expect(blocks * 512).toBeGreaterThanOrEqual(MIB)
  expect(mode & 0o777).toBe(0o600)
})

const ACCOUNT = 65_534
const isRoot = process.getuid?.() === 0

/** Root may write to every file, so the test continues as another account. */
async function asOrdinaryUser(run: string): Promise<void> {
  if (!isRoot) return
  await chown(run, ACCOUNT, ACCOUNT)
  process.seteuid?.(ACCOUNT)
  onTestFinished(() => process.seteuid?.(0))
}

test.each([MIB, 3 * MIB, 0])(
  'a file that this account cannot write is replaced by one of %i bytes',
  async (bytes) => {
    const run = await runFolder()
    await setReserve({ run }, 2 * MIB)
    await chmod(join(run, 'reserve'), 0o400)
    await asOrdinaryUser(run)
    await setReserve({ run }, bytes)
    expect(await reservedBytes({ run })).toBe(bytes)
  },
)

test.runIf(isRoot)('a file that root makes belongs to the account of the folder', async () => {
  const run = await runFolder()
  await chown(run, ACCOUNT, ACCOUNT)
  await setReserve({ run }, MIB)
  expect((await stat(join(run, 'reserve'))).uid).toBe(ACCOUNT)
})

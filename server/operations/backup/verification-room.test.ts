import { describe, expect, test } from 'vitest'
import { requireDiskRoom, whileRoom } from './verification-room.ts'

const GIB = 1024 ** 3
const never = new AbortController().signal

/** A disk of 100 GiB, on which writes are refused below 1 GiB or the setting. */
function roomOf(freeGib: number, minBytes?: number) {
  const room = {
    ...{ folder: '/verify', minBytes, freeBytes: freeGib * GIB },
    measure: async () => ({ device: 1, freeBytes: room.freeBytes, sizeBytes: 100 * GIB }),
  }
  return room
}

describe('a copy of 10 GiB', () => {
  test.each([
    ['needs the free space of the service and a reserve in addition', 16, undefined],
    ['needs more free space if the setting is higher', 35, 20 * GIB],
  ])('%s', async (_, least, minBytes) => {
    await requireDiskRoom(roomOf(least, minBytes), 10 * GIB)
    await expect(requireDiskRoom(roomOf(least - 0.1, minBytes), 10 * GIB)).rejects.toThrow(
      `/verify has ${(least - 0.1).toFixed(1)} GiB free and ${least}.0 GiB are needed`,
    )
  })

  test('is given up before the disk is so full that writes are refused', async () => {
    const room = roomOf(16)
    const verified = whileRoom(room, never, (signal) => {
      room.freeBytes = 1.4 * GIB
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    await expect(verified).rejects.toThrow('broken off, because /verify has only 1.4 GiB free')
  })

  test('is completed while there is enough space', async () => {
    expect(await whileRoom(roomOf(1.6), never, async (signal) => signal.aborted)).toBe(false)
  })
})

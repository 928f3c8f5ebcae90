// Writes to /dev/full fail as on a full disk.
import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { onDisk } from '../files/disk/draft.ts'
import { explainingNoSpace, isNoSpace } from './no-space.ts'

const fill = () => writeFile('/dev/full', 'x')
const fault = await fill().catch((error: unknown) => error)

describe('a full disk', () => {
  test('is recognized, also as the cause of another error', () => {
    expect(isNoSpace(fault)).toBe(true)
    expect(isNoSpace(new Error('x', { cause: new Error('y', { cause: fault }) }))).toBe(true)
    expect(isNoSpace(Object.assign(new Error('x'), { code: 'EDQUOT' }))).toBe(true)
    expect(isNoSpace(Object.assign(new Error('x'), { code: 'EACCES' }))).toBe(false)
    expect(isNoSpace(undefined)).toBe(false)
  })

  test('is reported to operators with the folder, the free bytes, and advice', async () => {
    const options = { folder: '/tmp/not/there/yet', advice: 'write to another' }
    await expect(explainingNoSpace(options, fill)).rejects.toThrow(
      /^The disk of \/tmp\/not\/there\/yet is full \([\d.]+ [KMG]iB free\): free some space, or write to another$/,
    )
    const other = new Error('another fault')
    await expect(explainingNoSpace(options, () => Promise.reject(other))).rejects.toBe(other)
  })

  test('is reported to clients without the folder', async () => {
    await expect(onDisk('/tmp', fill, 5 * 1024 ** 2)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /^The disk for files is full \(.*free, 5 MiB needed\): tell the operator/,
      ),
      cause: new Error('The disk of /tmp is full'),
    })
  })
})

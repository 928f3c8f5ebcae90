import { statfs, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../test/temporary-folder.ts'
import { measureMachine, serverArguments, tunedSettings } from './settings.ts'

const GB = 1024 ** 3

describe('tunedSettings', () => {
  test.each([
    { memoryBytes: 0.5 * GB, buffers: '128MB', log: '80MB' },
    { memoryBytes: 4 * GB, buffers: '512MB', log: '256MB' },
    { memoryBytes: 64 * GB, buffers: '2048MB', log: '1024MB' },
  ])('$memoryBytes bytes', ({ memoryBytes, buffers, log }) => {
    const settings = tunedSettings({
      memoryBytes,
      sharedMemoryBytes: GB,
      diskBytes: 100 * GB,
      platform: 'linux',
    })
    expect(settings).toMatchObject({
      shared_buffers: buffers,
      min_wal_size: log,
      jit: 'off',
    })
    expect(settings).not.toHaveProperty('dynamic_shared_memory_type')
    expect(settings).not.toHaveProperty('wal_sync_method')
  })

  test.each([
    { diskBytes: Number.POSITIVE_INFINITY, least: '256MB', log: '4096MB', kept: '8192MB' },
    { diskBytes: 20 * GB, least: '256MB', log: '4096MB', kept: '8192MB' },
    { diskBytes: 10 * GB, least: '256MB', log: '2048MB', kept: '4096MB' },
    { diskBytes: 700 * 1024 ** 2, least: '140MB', log: '140MB', kept: '280MB' },
    { diskBytes: 100 * 1024 ** 2, least: '80MB', log: '96MB', kept: '192MB' },
  ])('limits the log to a part of a disk of $diskBytes bytes', ({ diskBytes, least, log, kept }) => {
    const machine = { memoryBytes: 4 * GB, sharedMemoryBytes: GB, diskBytes, platform: 'linux' } as const
    const sizes = { min_wal_size: least, max_wal_size: log, max_slot_wal_keep_size: kept }
    expect(tunedSettings(machine)).toMatchObject(sizes)
  })

  test('on macOS a commit is written to the disk, not only to its cache', () => {
    const settings = tunedSettings({
      ...{ memoryBytes: GB, sharedMemoryBytes: GB, diskBytes: 100 * GB, platform: 'darwin' },
    })
    expect(settings).toMatchObject({ wal_sync_method: 'fsync_writethrough' })
  })

  test('does not use a small /dev/shm, as Docker has', () => {
    const settings = tunedSettings({
      memoryBytes: GB,
      sharedMemoryBytes: 64 * 1024 * 1024,
      diskBytes: 100 * GB,
      platform: 'linux',
    })
    expect(settings).toMatchObject({ dynamic_shared_memory_type: 'mmap' })
  })
})

test('measureMachine measures the disk that a symbolic link of the log points to', async () => {
  const cluster = await temporaryFolder('settings')
  await symlink('/dev', join(cluster, 'pg_wal'))
  const { blocks, bsize } = await statfs('/dev')
  expect((await measureMachine(cluster)).diskBytes).toBe(blocks * bsize)
})

test('serverArguments ignores settings that would make the server listen on TCP', () => {
  const folder = { dataDir: '/d', cluster: '/d/postgres', run: '/d/postgres-run', clusterName: 'rapport-x' }
  const words = serverArguments(folder, '/d/a "b", c', { listen_addresses: '*', jit: 'on' })
  expect(words).toContain('listen_addresses=')
  expect(words).not.toContain('listen_addresses=*')
  expect(words).toContain('jit=on')
  expect(words).toContain('unix_socket_directories="/d/a ""b"", c"')
})

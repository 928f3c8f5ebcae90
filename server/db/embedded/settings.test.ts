import { describe, expect, test } from 'vitest'
import { serverArguments, tunedSettings } from './settings.ts'

const GB = 1024 ** 3

describe('tunedSettings', () => {
  test.each([
    { memoryBytes: 0.5 * GB, cpus: 1, buffers: '128MB', workers: '0', log: '80MB' },
    { memoryBytes: 4 * GB, cpus: 2, buffers: '512MB', workers: '1', log: '256MB' },
    { memoryBytes: 64 * GB, cpus: 16, buffers: '2048MB', workers: '2', log: '1024MB' },
  ])('$memoryBytes bytes and $cpus cpus', ({ memoryBytes, cpus, buffers, workers, log }) => {
    const settings = tunedSettings({ memoryBytes, cpus, sharedMemoryBytes: GB })
    expect(settings).toMatchObject({
      shared_buffers: buffers,
      max_parallel_workers_per_gather: workers,
      min_wal_size: log,
      jit: 'off',
    })
    expect(settings).not.toHaveProperty('dynamic_shared_memory_type')
  })

  test('a small /dev/shm, as in Docker, is not used', () => {
    const settings = tunedSettings({ memoryBytes: GB, cpus: 1, sharedMemoryBytes: 64 * 1024 * 1024 })
    expect(settings).toMatchObject({ dynamic_shared_memory_type: 'mmap' })
  })
})

test('serverArguments: a caller cannot make the server listen on TCP', () => {
  const folder = { dataDir: '/d', cluster: '/d/postgres', run: '/d/postgres-run', clusterName: 'rapport-x' }
  const words = serverArguments(folder, '/d/a "b", c', { listen_addresses: '*', jit: 'on' })
  expect(words).toContain('listen_addresses=')
  expect(words).not.toContain('listen_addresses=*')
  expect(words).toContain('jit=on')
  expect(words).toContain('unix_socket_directories="/d/a ""b"", c"')
})

import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { type Machine, placeOn } from './temporary-files.ts'

const GB = 1024 ** 3
const large: Machine = {
  given: undefined,
  mounts: '/dev/vda / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0\n',
  free: 12 * GB,
  memory: 16 * GB,
}

test('temporary files of tests are in memory on a machine with enough memory', () => {
  expect(placeOn(large, 10 * GB)).toBe('/dev/shm')
})

test.each<[string, Partial<Machine>]>([
  ['the environment names a folder', { given: '/var/tmp' }],
  ['/dev/shm is as small as in a container', { free: 64 * 1024 ** 2 }],
  ['the files would leave too little memory for processes', { memory: 13 * GB }],
  ['/dev/shm allows no programs', { mounts: 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime 0 0\n' }],
  ['/dev/shm is on a disk', { mounts: '/dev/vda /dev/shm ext4 rw 0 0\n' }],
  ['/dev/shm is not mounted', { mounts: '/dev/vda / ext4 rw 0 0\n' }],
])('temporary files are in the folder of the system if %s', (_, changed) => {
  expect(placeOn({ ...large, ...changed }, 10 * GB)).toBe(tmpdir())
})

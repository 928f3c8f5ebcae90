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

test('temporary files of tests are in memory on a machine that has enough', () => {
  expect(placeOn(large, 10 * GB)).toBe('/dev/shm')
})

test.each<[string, Partial<Machine>]>([
  ['the environment names a folder', { given: '/var/tmp' }],
  ['the folder in memory is as small as that of a container', { free: 64 * 1024 ** 2 }],
  ['files would leave processes too little memory', { memory: 13 * GB }],
  ['programs may not run there', { mounts: 'shm /dev/shm tmpfs rw,nosuid,nodev,noexec,relatime 0 0\n' }],
  ['it is on a disk', { mounts: '/dev/vda /dev/shm ext4 rw 0 0\n' }],
  ['nothing is mounted there', { mounts: '/dev/vda / ext4 rw 0 0\n' }],
])('they are in the folder of the system when %s', (_, changed) => {
  expect(placeOn({ ...large, ...changed }, 10 * GB)).toBe(tmpdir())
})

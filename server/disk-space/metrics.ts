// Free space as it was last measured. Processes of one machine measure the same disks, so one value counts for all.
import { Gauge, type Registry } from 'prom-client'
import type { DiskSpace } from './disk-space.ts'
import type { MeasuredVolume } from './volumes.ts'

type Measured = Pick<DiskSpace, 'volumes' | 'shortage'>

const VOLUMES: readonly (readonly [name: string, help: string, bytesOf: (one: MeasuredVolume) => number])[] =
  [
    [
      'rapport_disk_free_bytes',
      'Free space of the disks of the embedded database, of its log, and of files',
      ({ freeBytes }) => freeBytes,
    ],
    ['rapport_disk_size_bytes', 'Size of these disks', ({ sizeBytes }) => sizeBytes],
    [
      'rapport_disk_free_min_bytes',
      'Free space below which writes, or uploads of files, are refused (DISK_FREE_MIN_BYTES)',
      ({ limits }) => limits.minBytes,
    ],
  ]

export function measureDisks(registry: Registry, diskSpace: Measured): void {
  for (const [name, help, bytesOf] of VOLUMES)
    new Gauge({
      name,
      help,
      aggregator: 'max',
      labelNames: ['volume'],
      registers: [registry],
      collect() {
        for (const one of diskSpace.volumes) this.set({ volume: one.name }, bytesOf(one))
      },
    })
  new Gauge({
    name: 'rapport_writes_refused',
    help: '1 while writes are refused, since the disk of the database is full',
    aggregator: 'max',
    registers: [registry],
    collect() {
      this.set(diskSpace.shortage === undefined ? 0 : 1)
    },
  })
}

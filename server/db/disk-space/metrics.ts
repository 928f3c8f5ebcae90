// Metrics of the last measured free space. All processes of a machine measure the same disks: one value is enough.
import { Gauge, type Registry } from 'prom-client'
import type { DiskSpace } from './disk-space.ts'
import type { MeasuredVolume } from './volumes.ts'

type Measured = Pick<DiskSpace, 'volumes' | 'shortage'>

interface VolumeMetric {
  name: string
  help: string
  bytesOf(one: MeasuredVolume): number
}

const VOLUMES: readonly VolumeMetric[] = [
  {
    name: 'rapport_disk_free_bytes',
    help: 'Free space of the disks of the embedded database, of its log, and of files',
    bytesOf: ({ freeBytes }) => freeBytes,
  },
  { name: 'rapport_disk_size_bytes', help: 'Size of these disks', bytesOf: ({ sizeBytes }) => sizeBytes },
  {
    name: 'rapport_disk_free_min_bytes',
    help: 'Free space below which writes, or uploads of files, are refused (DISK_FREE_MIN_BYTES)',
    bytesOf: ({ limits }) => limits.minBytes,
  },
]

export function measureDisks(registry: Registry, diskSpace: Measured): void {
  for (const { name, help, bytesOf } of VOLUMES)
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

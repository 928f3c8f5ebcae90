// The disks that the service and its embedded server write to, and how much of them is free.
import { stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import type { Config } from '../../config/config.ts'
import { type Fill, judgeFill, type Limits, limitsOf } from './judge.ts'

export type VolumeName = 'database' | 'log' | 'files'

export interface Volume {
  name: VolumeName
  folder: string
}

export interface Space {
  /** The device number: the same for all folders on one disk. */
  device: number
  freeBytes: number
  sizeBytes: number
}

export interface MeasuredVolume extends Volume, Space {
  limits: Limits
  fill: Fill
}

export type DiskConfig = Pick<Config, 'dataDir' | 'databaseUrl' | 's3' | 'diskFreeMinBytes'>

/** The disk of an external PostgreSQL cannot be measured from here. */
export function databaseVolumesOf({ dataDir, databaseUrl }: Omit<DiskConfig, 's3'>): Volume[] {
  if (databaseUrl !== undefined) return []
  const cluster = join(dataDir, 'postgres')
  return [
    { name: 'database', folder: cluster },
    // An operator may have moved this folder to another disk with a symbolic link.
    { name: 'log', folder: join(cluster, 'pg_wal') },
  ]
}

/** Without a volume for files when files are in an S3 bucket. */
export function volumesOf(config: DiskConfig): Volume[] {
  const { dataDir, s3 } = config
  return [
    ...databaseVolumesOf(config),
    ...(s3 === undefined ? [{ name: 'files', folder: join(dataDir, 'files') } as const] : []),
  ]
}

/** Measures the disk of a folder. A folder that does not exist yet is on the disk of its parent. */
export async function measureSpace(folder: string): Promise<Space> {
  try {
    const [{ dev: device }, { bavail, blocks, bsize }] = await Promise.all([stat(folder), statfs(folder)])
    return { device, freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(folder) === folder) throw error
    return measureSpace(dirname(folder))
  }
}

export type MeasureSpace = typeof measureSpace

/** @param before the fill at the last measurement */
export async function measureVolume(
  volume: Volume,
  { minBytes, before, measure }: { minBytes: number | undefined; before: Fill; measure: MeasureSpace },
): Promise<MeasuredVolume> {
  const space = await measure(volume.folder)
  const limits = limitsOf(space.sizeBytes, minBytes)
  return { ...volume, ...space, limits, fill: judgeFill(before, space.freeBytes, limits) }
}

// Free space on the disks that the service writes to.
import { sizeText } from '../../base/size-text.ts'
import {
  type DiskConfig,
  type MeasuredVolume,
  type MeasureSpace,
  measureSpace,
  measureVolume,
  type VolumeName,
  volumesOf,
} from '../../db/disk-space/volumes.ts'
import type { Finding } from './finding.ts'

const STATUS = { enough: 'ok', low: 'warn', full: 'fail' } as const

const WHAT: Readonly<Record<VolumeName, string>> = {
  database: 'the database',
  log: "the database's log",
  files: 'files',
}

const worstOf = (volumes: readonly MeasuredVolume[]) =>
  (['full', 'low', 'enough'] as const).find((fill) => volumes.some((one) => one.fill === fill))

/** One sentence for all volumes on the same disk. @param showsFolder false in public answers */
function detailOf(volumes: MeasuredVolume[], showsFolder: boolean): string {
  const fill = worstOf(volumes)
  const first = volumes.find((one) => one.fill === fill)
  if (first === undefined) return ''
  const { folder, freeBytes, limits } = first
  const names = volumes.map(({ name }) => WHAT[name])
  const free = `${sizeText(freeBytes)} free on the disk of ${names.join(', ')}${showsFolder ? ` (${folder})` : ''}`
  if (fill !== 'full') return free
  const refused = first.name === 'files' ? 'uploads' : 'writes'
  return `${free}: ${refused} are refused until ${sizeText(limits.resumeBytes)} are free`
}

const ADVICE = {
  low: 'free some space, or move DATA_DIR to a larger disk: below DISK_FREE_MIN_BYTES writes are refused',
  full: 'free some space: delete what is not of Rapport, shorten EVENT_RETENTION_DAYS, enlarge the disk, or move DATA_DIR to a larger one; writes are accepted again by themselves',
}

export function judgeDisks(volumes: readonly MeasuredVolume[], showsFolder: boolean): Finding {
  const check = 'disk'
  // Not grouped by free space, which changes while the volumes of a disk are measured one after another.
  const disks = Map.groupBy(volumes, ({ device }) => device)
  const detail = [...disks.values()].map((one) => detailOf(one, showsFolder)).join('; ')
  const worst = worstOf(volumes)
  if (worst === undefined || worst === 'enough') return { check, status: 'ok', detail }
  return { check, status: STATUS[worst], detail, advice: ADVICE[worst] }
}

/** The last measurements of the running service. */
export interface KnownDisks {
  volumes: readonly Pick<MeasuredVolume, 'name' | 'fill'>[]
}

/** For operators. @param known a full disk counts as full until it has more space than a disk needs at first */
export async function checkDisk(
  config: DiskConfig,
  { volumes: known }: KnownDisks = { volumes: [] },
  measure: MeasureSpace = measureSpace,
): Promise<Finding> {
  const { dataDir, diskFreeMinBytes: minBytes } = config
  const volumes = volumesOf(config)
  // Keys are always in DATA_DIR.
  const all = volumes.length > 0 ? volumes : [{ name: 'files', folder: dataDir } as const]
  const fillOf = (name: VolumeName) => known.find((one) => one.name === name)?.fill ?? 'enough'
  const measured = all.map((one) => measureVolume(one, { minBytes, before: fillOf(one.name), measure }))
  return judgeDisks(await Promise.all(measured), true)
}

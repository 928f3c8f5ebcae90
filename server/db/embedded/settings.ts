import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedFolder, socketPort } from './folder.ts'

/** PostgreSQL settings by name, as on its command line. */
export type Settings = Record<string, string>

export interface Machine {
  memoryBytes: number
  /** Room for shared memory files (/dev/shm); Infinity where that is not limited. */
  sharedMemoryBytes: number
  /** The size of the disk that holds the log, which may be a separate one; Infinity where it does not say. */
  diskBytes: number
  platform: NodeJS.Platform
}

const MB = 1024 * 1024

const sizeOf = async (folder: string) => {
  const disk = await statfs(folder).catch(() => undefined)
  return disk ? disk.bsize * disk.blocks : Number.POSITIVE_INFINITY
}

/** What this process may use: the container's limits where it has some, else the whole machine. */
export async function measureMachine(cluster: string): Promise<Machine> {
  const constrainedBytes = process.constrainedMemory()
  const memoryBytes = constrainedBytes > 0 ? Math.min(totalmem(), constrainedBytes) : totalmem()
  const [sharedMemoryBytes, diskBytes] = [await sizeOf('/dev/shm'), await sizeOf(join(cluster, 'pg_wal'))]
  return { memoryBytes, sharedMemoryBytes, diskBytes, platform: process.platform }
}

/** Memory is shared with Node and the page cache, hence an eighth for the buffers and small sort areas. */
export function tunedSettings({ memoryBytes, sharedMemoryBytes, diskBytes, platform }: Machine): Settings {
  return {
    shared_buffers: megabytes(memoryBytes / 8, 128, 2048),
    effective_cache_size: megabytes(memoryBytes / 2, 256, 1024 * 1024),
    work_mem: megabytes(memoryBytes / 1024, 4, 16),
    maintenance_work_mem: megabytes(memoryBytes / 32, 64, 512),
    max_connections: '100',
    jit: 'off',
    random_page_cost: '1.1',
    // Writers that cross are rare and run again: they need not wait a second to hear of it.
    deadlock_timeout: '200ms',
    // The first change of a page after a checkpoint puts all of it into the log: a patch right after one takes several
    // times the log of a later one. So there are few; the size bounds how much is read back after a crash. Compressing
    // those pages is no option: this build has only pglz, with which bulk writes took two to three times as long.
    // On a small disk the log has a fifth: writes are refused before it is full (db/disk-space/judge.ts).
    max_wal_size: megabytes(diskBytes / 5, 96, 4096),
    checkpoint_timeout: '30min',
    // Files that are there already are written again, where new ones would be filled with zeros first.
    min_wal_size: megabytes(Math.min(memoryBytes / 16, diskBytes / 5), 80, 1024),
    // What is folded away, a row for each writing statement, is looked for four times a minute instead of once.
    autovacuum_naptime: '15s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A backup store that does not answer keeps log here; beyond this the log goes, and the next backup starts over.
    max_slot_wal_keep_size: megabytes((diskBytes / 5) * 2, 192, 8192),
    // Nothing is replicated: spares a process.
    max_logical_replication_workers: '0',
    // Docker gives /dev/shm 64 MB, where one parallel query can fail with "no space left on device".
    ...(sharedMemoryBytes < 512 * MB && { dynamic_shared_memory_type: 'mmap' }),
    // Elsewhere a flush reaches the disk; on macOS the default ends in the cache of the drive.
    ...(platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
  }
}

function megabytes(bytes: number, least: number, most: number): string {
  return `${Math.min(most, Math.max(least, Math.floor(bytes / MB)))}MB`
}

/** The arguments of the postgres program; `extra` wins over the tuned settings, not over where it listens. */
export function serverArguments(
  folder: EmbeddedFolder,
  socketDirectory: string,
  settings: Settings,
): string[] {
  const all: Settings = {
    ...settings,
    cluster_name: folder.clusterName,
    listen_addresses: '',
    port: String(socketPort),
    unix_socket_directories: quoteDirectory(socketDirectory),
    unix_socket_permissions: '0700',
    logging_collector: 'on',
    log_directory: 'log',
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    // A statement holds customers' data; the service logs its own errors.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', folder.cluster, ...options]
}

/** The setting is a list: commas and quotes in a folder's name must not end the entry. */
function quoteDirectory(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`
}

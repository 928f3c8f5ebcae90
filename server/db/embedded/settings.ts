import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type EmbeddedFolder, socketPort } from './folder.ts'

/** PostgreSQL settings by name, as on its command line. */
export type Settings = Record<string, string>

export interface Machine {
  memoryBytes: number
  /** Space for shared memory files (/dev/shm); Infinity: no limit. */
  sharedMemoryBytes: number
  /** The size of the disk of the log, which may be a separate disk; Infinity: not known. */
  diskBytes: number
  platform: NodeJS.Platform
}

const MB = 1024 * 1024

const sizeOf = async (folder: string) => {
  const disk = await statfs(folder).catch(() => undefined)
  return disk ? disk.bsize * disk.blocks : Number.POSITIVE_INFINITY
}

/** Measures what this process may use: the limits of the container if there are any, else the whole machine. */
export async function measureMachine(cluster: string): Promise<Machine> {
  const constrainedBytes = process.constrainedMemory()
  const memoryBytes = constrainedBytes > 0 ? Math.min(totalmem(), constrainedBytes) : totalmem()
  const [sharedMemoryBytes, diskBytes] = [await sizeOf('/dev/shm'), await sizeOf(join(cluster, 'pg_wal'))]
  return { memoryBytes, sharedMemoryBytes, diskBytes, platform: process.platform }
}

/** Node and the page cache need memory too, so the buffers get an eighth of it and sort areas are small. */
export function tunedSettings({ memoryBytes, sharedMemoryBytes, diskBytes, platform }: Machine): Settings {
  return {
    shared_buffers: megabytes(memoryBytes / 8, 128, 2048),
    effective_cache_size: megabytes(memoryBytes / 2, 256, 1024 * 1024),
    work_mem: megabytes(memoryBytes / 1024, 4, 16),
    maintenance_work_mem: megabytes(memoryBytes / 32, 64, 512),
    max_connections: '100',
    jit: 'off',
    random_page_cost: '1.1',
    // Deadlocks are rare and their transactions are retried: they are detected sooner than after the default of 1 s.
    deadlock_timeout: '200ms',
    // The first change of a page after a checkpoint writes the whole page to the log: a patch right after a checkpoint
    // writes several times as much log as a later patch. So checkpoints are rare; the size limits how much is replayed
    // after a crash. Those pages are not compressed: this build has only pglz, with which bulk writes took two to three
    // times as long. On a small disk the log gets a fifth: writes are refused before the disk is full
    // (db/disk-space/judge.ts).
    max_wal_size: megabytes(diskBytes / 5, 96, 4096),
    checkpoint_timeout: '30min',
    // Existing log files are reused; a new file is filled with zeros first.
    min_wal_size: megabytes(Math.min(memoryBytes / 16, diskBytes / 5), 80, 1024),
    // Each writing statement adds a row that is soon merged into a counter and deleted. So autovacuum looks for dead
    // rows four times a minute, not once.
    autovacuum_naptime: '15s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Log is kept for a backup store that does not answer. Above this limit it is removed, and the next backup is full.
    max_slot_wal_keep_size: megabytes((diskBytes / 5) * 2, 192, 8192),
    // There is no logical replication: this saves a process.
    max_logical_replication_workers: '0',
    // In Docker /dev/shm has 64 MB, so one parallel query can fail with "no space left on device".
    ...(sharedMemoryBytes < 512 * MB && { dynamic_shared_memory_type: 'mmap' }),
    // On macOS the default flush only reaches the cache of the drive; on other systems it reaches the disk.
    ...(platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
  }
}

function megabytes(bytes: number, least: number, most: number): string {
  return `${Math.min(most, Math.max(least, Math.floor(bytes / MB)))}MB`
}

/** The arguments of the postgres program. `extra` overrides the tuned settings, but not the listen addresses. */
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
    // Statements contain customer data; the service logs its errors itself.
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
  }
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return ['-D', folder.cluster, ...options]
}

/** The setting is a list: commas and quotes in the name of a folder must not end the entry. */
function quoteDirectory(directory: string): string {
  return `"${directory.replaceAll('"', '""')}"`
}

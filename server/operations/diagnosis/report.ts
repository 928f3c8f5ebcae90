// The report of a running service to commands on its machine.
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { Config } from '../../config/config.ts'
import type { Database } from '../../db/database.ts'
import type { DiskSpace } from '../../db/disk-space/disk-space.ts'
import { configuredSettings, type Setting } from './configuration.ts'
import { type Examination, examineInstallation } from './examine.ts'
import { type ChildState, judgeProcesses, type ProcessReplacement } from './processes.ts'

export interface ServiceFacts {
  pid: number
  host: string
  version: string
  role: Config['role']
  /** The address on which it listens. */
  address: string
  startedAt: string
  /** Memory of this process, without its children. */
  memoryBytes: number
  /** The children of this process; empty for a service with a single process. */
  processes: readonly ChildState[]
  replacements: readonly ProcessReplacement[]
  settings: Setting[]
}

export interface ServiceReport extends Examination {
  service: ServiceFacts
}

export interface RunningService {
  config: Config
  /** The environment from which `config` was read. */
  env: Readonly<Record<string, string | undefined>>
  database: Pick<Database, 'connection' | 'embedded'>
  disks: Pick<DiskSpace, 'volumes' | 'writableSeconds'>
  processes(): { states: readonly ChildState[]; replacements: readonly ProcessReplacement[] }
}

function readVersion(): string {
  const { version }: { version: string } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  )
  return version
}

const startedAt = new Date(Date.now() - process.uptime() * 1000).toISOString()

export function factsOf({ config, env, processes }: RunningService): ServiceFacts {
  const { states, replacements } = processes()
  return {
    ...{ pid: process.pid, host: hostname(), version: readVersion(), role: config.role },
    address: `${config.host}:${config.port}`,
    ...{ startedAt, memoryBytes: process.memoryUsage.rss() },
    ...{ processes: states, replacements, settings: configuredSettings(config, env) },
  }
}

/** Examined with the service's own settings, from its place in the network, as its user. */
export async function reportOf(running: RunningService): Promise<ServiceReport> {
  const { config, database, disks } = running
  const open = async () => ({ ...database, stop: async () => undefined })
  const { volumes, writableSeconds } = disks
  const { findings, mail } = await examineInstallation(config, open, {
    ...{ role: config.role, runningSeconds: process.uptime() },
    ...{ volumes, writableSeconds },
  })
  const { states, replacements } = running.processes()
  return {
    service: factsOf(running),
    findings: [...judgeProcesses(states, replacements, Date.now()), ...findings],
    mail,
  }
}

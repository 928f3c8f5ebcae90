// One machine: etcd, Patroni and PostgreSQL, with a watchdog.
import { chown, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { etcdOf, folderOf, patroniOf, runFolderOf } from './configuration.ts'
import { hostOf, hostsOf, MACHINES, nameOf, PORTS, type Timing } from './plan.ts'
import type { Programs } from './programs.ts'
import { openSpace } from './space.ts'
import { openWatchdog } from './watchdog.ts'

export interface Machine {
  /** 1 to 3 */
  number: number
  /** Does nothing if the machine already runs. */
  start(): Promise<void>
  /** Kills all processes immediately, like a power failure. */
  switchOff(): Promise<void>
  /** Suspends every process. The watchdog then resets the machine if Patroni held the leader lock. */
  pause(): Promise<void>
  killPostgres(): Promise<void>
  /** Switches the machine off and removes its watchdog. */
  close(): Promise<void>
}

export interface MachineOptions {
  /** Shared by all machines. */
  folder: string
  programs: Programs
  timing: Timing
  /** Path of `deploy/patroni/release-lost-lock.py` in the machines; undefined: a lost lock ends with its lease. */
  releaser: string | undefined
  tell(line: string): void
}

function commandsOf({ folder, programs, timing, releaser }: MachineOptions, number: number) {
  const etcds = MACHINES.map((one) => `http://${hostOf(one)}:${PORTS.etcdClient}`)
  const flags = ['--key', '/service/rapport/leader', '--ttl', timing.ttl, '--watchdog', timing.watchdog]
  return {
    etcd: [programs.etcd, ...etcdOf(folder, number)],
    patroni: [programs.patroni, join(folderOf(folder, number), 'patroni.json')],
    ...(releaser !== undefined && { release: [programs.python, releaser, ...flags, ...etcds] }),
  }
}

export async function openMachine(options: MachineOptions, number: number): Promise<Machine> {
  const { folder, programs, timing, tell } = options
  const own = folderOf(folder, number)
  await mkdir(own, { recursive: true })
  const configuration = patroniOf(folder, number, { binDir: programs.postgres, timing })
  await writeFile(join(own, 'patroni.json'), JSON.stringify(configuration, null, 2))
  const commands = commandsOf(options, number)
  const space = await openSpace({ folder, name: nameOf(number), programs, hosts: hostsOf(number), commands })
  const watchdog = openWatchdog(join(own, 'watchdog'), () => {
    tell(`the watchdog resets ${nameOf(number)}`)
    void space.end()
  })
  const switchOff = async () => {
    watchdog.disarm()
    await space.end()
  }
  return {
    number,
    async start() {
      if (space.isRunning()) return
      const run = runFolderOf(folder, number)
      await rm(run, { recursive: true, force: true })
      await mkdir(run)
      await chown(run, programs.uid, programs.uid)
      await space.start()
    },
    switchOff,
    async pause() {
      // Twice, because a process may fork during the first pass.
      await space.signal('SIGSTOP')
      await space.signal('SIGSTOP')
    },
    killPostgres: () => space.signal('SIGKILL', 'postgres'),
    async close() {
      await switchOff()
      watchdog.close()
    },
  }
}

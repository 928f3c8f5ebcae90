// A process tree in its own namespaces: it sees its own root folder and hosts file, and all its processes end together.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Programs } from './programs.ts'

export interface Space {
  /** Starts the commands. Does nothing if they already run. */
  start(): Promise<void>
  /** Kills all processes immediately, like a power failure. */
  end(): Promise<void>
  isRunning(): boolean
  /** Signals all processes of the space. @param name only the processes of this program */
  signal(signal: NodeJS.Signals, name?: string): Promise<void>
}

/** Script that root runs as the first process of the new namespaces. All other processes end with it. */
const ENTER = `
[ "$ROOT" = / ] || mount --rbind /dev "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --bind "$OWN/hosts" "$ROOT/etc/hosts"
if [ "$ROOT" != / ]; then mkdir -p "$ROOT$FOLDER"; mount --bind "$FOLDER" "$ROOT$FOLDER"; fi
chroot --userspec="$OWNER" "$ROOT" /usr/bin/env -i PATH=/usr/bin:/usr/sbin:/bin HOME="$OWN" LC_ALL=C sh "$OWN/init.sh"
`
const FLAGS = ['--mount', '--pid', '--ipc', '--fork', '--kill-child', '--propagation', 'private']

interface SpaceOptions {
  /** Folder that all spaces see, at the same path. */
  folder: string
  /** Name of the space, and of its folder in `folder`. */
  name: string
  programs: Programs
  hosts: string
  /** Command lines, without `&`; each writes `<name>.log`. */
  commands: Readonly<Record<string, readonly (string | number)[]>>
}

const quote = (word: string | number) => `'${String(word).replaceAll("'", "'\\''")}'`

async function prepare({ folder, name, programs, hosts, commands }: SpaceOptions): Promise<string> {
  const own = join(folder, name)
  await mkdir(own, { recursive: true })
  await chown(own, programs.uid, programs.uid)
  const lines = Object.entries(commands).map(
    ([log, words]) => `${words.map(quote).join(' ')} >>${quote(join(own, `${log}.log`))} 2>&1 &`,
  )
  await writeFile(join(own, 'hosts'), hosts)
  await writeFile(join(own, 'init.sh'), [...lines, 'wait', ''].join('\n'))
  return own
}

/** @param unshare its only child is the first process of the namespace @returns process ids outside the namespace */
async function processesOf(unshare: number, wanted: string | undefined): Promise<number[]> {
  const children = await readFile(`/proc/${unshare}/task/${unshare}/children`, 'utf8')
  const space = await readlink(`/proc/${Number.parseInt(children, 10)}/ns/pid`)
  const isWanted = async (pid: string) => {
    if ((await readlink(`/proc/${pid}/ns/pid`)) !== space) return false
    return wanted === undefined || (await readFile(`/proc/${pid}/comm`, 'utf8')).trim() === wanted
  }
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const areWanted = await Promise.all(pids.map((pid) => isWanted(pid).catch(() => false)))
  return pids.filter((_, place) => areWanted[place]).map(Number)
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already ended.
  }
}

export async function openSpace(options: SpaceOptions): Promise<Space> {
  const { folder, programs } = options
  const own = await prepare(options)
  const owner = `${programs.uid}:${programs.uid}`
  let running: ChildProcess | undefined
  return {
    async start() {
      if (running) return
      running = spawn('unshare', [...FLAGS, 'sh', '-ec', ENTER], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, ROOT: programs.root, OWN: own, FOLDER: folder, OWNER: owner },
      })
      await once(running, 'spawn')
    },
    async end() {
      if (!running) return
      const [ending, exited] = [running, once(running, 'exit')]
      running = undefined
      ending.kill('SIGKILL')
      await exited
    },
    isRunning: () => running !== undefined,
    async signal(signal, name) {
      if (running?.pid === undefined) return
      for (const pid of await processesOf(running.pid, name)) send(pid, signal)
    },
  }
}

// Finds the programs that the harness needs, and explains how to install missing ones.
import { access, constants, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../harness/bench.ts'

export interface Programs {
  /** Folder that the programs see as `/`. */
  root: string
  /** Paths below `root`. `postgres`: the folder of initdb, pg_ctl and postgres. */
  etcd: string
  patroni: string
  haproxy: string
  python: string
  postgres: string
  /** User that the programs run as: PostgreSQL does not run as root. */
  uid: number
}

const PLACES = {
  etcd: ['usr/bin/etcd'],
  patroni: ['usr/bin/patroni', 'usr/local/bin/patroni'],
  haproxy: ['usr/sbin/haproxy'],
  python: ['usr/bin/python3'],
  postgres: ['usr/lib/postgresql/18/bin'],
}

const HOW = `Install PostgreSQL 18, Patroni 4, etcd 3.5 and HAProxy from Debian or your distribution, or unpack them in a folder of
their own and name it with --root:
  apt-get download postgresql-18 patroni etcd-server haproxy python3 …   (and what they depend on)
  for package in *.deb; do dpkg-deb --extract "$package" /opt/failover; done
  npm run failover -- --root /opt/failover`

const isThere = (path: string) =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

async function find(root: string, name: keyof typeof PLACES): Promise<string | undefined> {
  for (const place of PLACES[name]) if (await isThere(join(root, place))) return `/${place}`
  return undefined
}

/** initdb refuses a user ID without a name. @throws UsageError that lists the existing user IDs */
async function checkUser(root: string, uid: number): Promise<void> {
  const file = join(root, 'etc/passwd')
  const uids = (await readFile(file, 'utf8')).split('\n').flatMap((line) => line.split(':')[2] ?? [])
  if (!uids.includes(String(uid)))
    throw new UsageError(
      `${file} has no user ${uid}. Add one, or name one of these with --uid: ${uids.join(', ')}.`,
    )
}

/** @throws UsageError that names the missing programs and how to install them */
export async function findPrograms(root: string, uid: number): Promise<Programs> {
  if (process.getuid?.() !== 0)
    throw new UsageError('Run it as root: it makes a namespace for each machine. Its programs run as --uid.')
  const names = Object.keys(PLACES) as (keyof typeof PLACES)[]
  const found = await Promise.all(names.map(async (name) => [name, await find(root, name)] as const))
  const missing = found.filter(([, path]) => path === undefined).map(([name]) => PLACES[name][0])
  if (missing.length > 0) throw new UsageError(`Not below ${root}: ${missing.join(', ')}.\n${HOW}`)
  await checkUser(root, uid)
  return { root, uid, ...(Object.fromEntries(found) as Record<keyof typeof PLACES, string>) }
}

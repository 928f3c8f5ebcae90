// Starts HAProxy between the service and the three PostgreSQL servers.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { haproxyOf } from './configuration.ts'
import { hostsOf, OUTSIDE } from './plan.ts'
import type { Programs } from './programs.ts'
import { openSpace } from './space.ts'

const NAME = 'haproxy'

/** @returns a function that stops HAProxy */
export async function startHaproxy(folder: string, programs: Programs): Promise<() => Promise<void>> {
  const configuration = join(folder, NAME, 'haproxy.cfg')
  await mkdir(join(folder, NAME), { recursive: true })
  await writeFile(configuration, haproxyOf())
  const commands = { haproxy: [programs.haproxy, '-db', '-f', configuration] }
  const space = await openSpace({ folder, name: NAME, programs, hosts: hostsOf(OUTSIDE), commands })
  await space.start()
  return space.end
}

// PgBouncer in transaction mode in front of the server of the tests, if TEST_PGBOUNCER names its program.
import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/** The server of PostgreSQL. */
interface Server {
  host: string
  port: number
  password: string
}

export interface Pooler {
  port: number
  stop(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })

const configuration = ({ host, port }: Server, folder: string, listenPort: number) => `
[databases]
* = host=${host} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
max_prepared_statements = 200
max_client_conn = 1000
default_pool_size = 40
# Databases of tests are dropped: their sessions are not to fill the server.
server_idle_timeout = 2
log_connections = 0
log_disconnections = 0
`

/** A prefix for the command, because PgBouncer refuses to run as root. */
const asPlainUser = () =>
  process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000', '--'] : []

export async function startPgBouncer(
  program: string,
  server: Server,
  { folder, users }: { folder: string; users: readonly string[] },
): Promise<Pooler> {
  const port = await freePort()
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, configuration(server, folder, port))
  await writeFile(join(folder, 'users.txt'), users.map((name) => `"${name}" "${server.password}"\n`).join(''))
  const [command = '', ...words] = [...asPlainUser(), program, '--quiet', file]
  const child = spawn(command, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended: ${child.exitCode}`)
    await delay(50)
  }
  const stop = async () => {
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await ended
  }
  return { port, stop }
}

// Answers `rapport status` and `rapport doctor` on a Unix socket in DATA_DIR. It needs no token and cannot be reached
// through a network: the system lets only the service's user and root connect.
import { once } from 'node:events'
import { chmod, mkdir, readdir, rm, rmdir } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { Logger } from 'pino'
import { errorCode } from '../../base/error-code.ts'
import { plainError } from '../../base/plain-error.ts'
import { factsOf, type RunningService, reportOf } from './report.ts'
import { SOCKET, socketFolder, socketName, usablePath } from './socket-path.ts'

/** Requests during a report share its result. */
function shared<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined
  return () => {
    running ??= work().finally(() => {
      running = undefined
    })
    return running
  }
}

function createAnswers(service: RunningService, log: Logger): Server {
  const report = shared(() => reportOf(service))
  const answers = new Map<string | undefined, () => Promise<object>>([
    ['/facts', async () => factsOf(service)],
    ['/report', report],
  ])
  return createServer((request, response) => {
    const answer = answers.get(request.url)
    if (answer === undefined) return void response.writeHead(404).end()
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    answer().then(
      (body) => send(200, body),
      (err: unknown) => {
        log.error({ err }, 'the service could not examine itself')
        send(500, plainError(err))
      },
    )
  })
}

/** Whether no process listens on the socket any more. */
async function isStale(folder: string, name: string): Promise<boolean> {
  const { path, close } = await usablePath(folder, name)
  const socket = connect(path)
  try {
    await once(socket, 'connect')
    return false
  } catch (error) {
    return errorCode(error) === 'ECONNREFUSED'
  } finally {
    socket.destroy()
    await close()
  }
}

/** Removes sockets of killed processes. Tests each by connecting, because process ids of containers say nothing. */
async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    if (SOCKET.test(name) && (await isStale(folder, name))) await rm(join(folder, name), { force: true })
}

async function listen(service: RunningService, log: Logger): Promise<() => Promise<void>> {
  const folder = socketFolder(service.config.dataDir)
  await mkdir(service.config.dataDir, { recursive: true })
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeStale(folder)
  const { path, close } = await usablePath(folder, socketName(process.pid))
  const server = createAnswers(service, log)
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  server.unref()
  return async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await close()
    // Fails, as intended, if another process has its socket there.
    await rmdir(folder)
      .then(() => rmdir(dirname(folder)))
      .catch(() => undefined)
  }
}

/** A service works also if its DATA_DIR cannot be written to. @returns a function that stops the answers */
export async function answerCommands(service: RunningService, log: Logger): Promise<() => Promise<void>> {
  try {
    return await listen(service, log)
  } catch (err) {
    log.warn(
      { err, folder: socketFolder(service.config.dataDir) },
      'rapport status and rapport doctor cannot ask this process: its DATA_DIR must be writable and allow sockets',
    )
    return async () => undefined
  }
}

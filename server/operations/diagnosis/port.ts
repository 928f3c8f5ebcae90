// Whether the service could listen on its port, if no service runs.
import { createServer } from 'node:net'
import { errorCode } from '../../base/error-code.ts'
import type { Config } from '../../config/config.ts'
import type { Finding } from './finding.ts'

const ADVICES: Readonly<Record<string, string>> = {
  EADDRINUSE:
    'find the program (ss -ltnp) and stop it, or set PORT; if it is Rapport itself, set DATA_DIR to its folder',
  EACCES: 'set PORT to 1024 or above, or give the service the capability CAP_NET_BIND_SERVICE',
  EADDRNOTAVAIL: 'set HOST to an address of this machine',
}

export function judgePort(code: string | undefined, where: string): Finding {
  const check = 'port'
  if (code === undefined) return { check, status: 'ok', detail: `${where} is free` }
  const what = code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${code})`
  const advice = ADVICES[code] ?? 'check PORT and HOST'
  return { check, status: 'fail', detail: `${where} ${what}: the service cannot start`, advice }
}

export function checkPort({ port, host }: Pick<Config, 'port' | 'host'>): Promise<Finding> {
  const server = createServer()
  return new Promise((resolve) => {
    const end = (code?: string) => server.close(() => resolve(judgePort(code, `${host}:${port}`)))
    server.once('error', (error) => resolve(judgePort(errorCode(error) ?? error.message, `${host}:${port}`)))
    server.listen({ port, host }, () => end())
  })
}

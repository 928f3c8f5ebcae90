// The certificate at BASE_URL. If it has expired or is for another name, browsers and clients refuse the connection.
import { isIP } from 'node:net'
import { checkServerIdentity, connect, type TLSSocket } from 'node:tls'
import { messageOf } from '../../base/message-of.ts'
import type { Config } from '../../config/config.ts'
import type { Finding } from './finding.ts'

const check = 'certificate'
const CONNECT_MS = 5000
const DAY_MS = 86_400_000
/** Automatic renewal has happened before this many days are left. */
const WARN_DAYS = 14
const ADVICE = 'renew it, and reload the proxy that has it; see why its automatic renewal did not'

export interface SeenCertificate {
  validTo: Date
  /** Why the certificate is not for the requested host. */
  otherName: string | undefined
  /** The code of the reason why this machine does not trust it. */
  distrust: string | undefined
}

function judgeTime(host: string, validTo: Date, now: Date): Finding {
  const days = (validTo.getTime() - now.getTime()) / DAY_MS
  const until = validTo.toISOString()
  if (days < 0)
    return { check, status: 'fail', detail: `the certificate of ${host} expired at ${until}`, advice: ADVICE }
  const detail = `the certificate of ${host} is valid until ${until}`
  return days < WARN_DAYS
    ? { check, status: 'warn', detail, advice: ADVICE }
    : { check, status: 'ok', detail }
}

export function judgeCertificate(
  host: string,
  { validTo, otherName, distrust }: SeenCertificate,
  now: Date,
): Finding {
  const time = judgeTime(host, validTo, now)
  if (time.status === 'fail') return time
  if (otherName !== undefined)
    return {
      ...{ check, status: 'fail' },
      detail: `the certificate of ${host} is of another name: ${otherName}`,
      advice: 'give the proxy a certificate of this name, or correct BASE_URL',
    }
  if (distrust === undefined) return time
  return {
    ...{ check, status: 'warn' },
    detail: `this machine does not trust the certificate of ${host} (${distrust})`,
    advice:
      'see whether the proxy sends the intermediate certificates too; if the authority is your own, set NODE_EXTRA_CA_CERTS to its file, and let each client trust it',
  }
}

function seenBy(socket: TLSSocket, hostname: string): SeenCertificate {
  const certificate = socket.getPeerCertificate()
  const { authorizationError } = socket
  return {
    validTo: new Date(certificate.valid_to),
    otherName: checkServerIdentity(hostname, certificate)?.message,
    distrust: authorizationError ? String(authorizationError) : undefined,
  }
}

/** @throws if no server answers with TLS */
function look(hostname: string, port: number): Promise<SeenCertificate> {
  return new Promise((resolve, reject) => {
    const name = isIP(hostname) === 0 ? { servername: hostname } : {}
    const options = { host: hostname, port, timeout: CONNECT_MS, ...name }
    // Its content is needed also if it is not trusted.
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      resolve(seenBy(socket, hostname))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${CONNECT_MS / 1000} s`)))
  })
}

/** Checks nothing for a service without https. */
export async function checkCertificate({ baseUrl }: Pick<Config, 'baseUrl'>, now: Date): Promise<Finding[]> {
  const { protocol, host, hostname, port } = new URL(baseUrl)
  if (protocol !== 'https:') return []
  try {
    const seen = await look(hostname.replace(/^\[|\]$/g, ''), Number(port) || 443)
    return [judgeCertificate(host, seen, now)]
  } catch (error) {
    // Many networks do not allow a machine to connect to its own public address.
    const why = messageOf(error)
    return [{ check, status: 'ok', detail: `${host} could not be asked from this machine: ${why}` }]
  }
}

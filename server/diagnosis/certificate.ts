// The certificate at BASE_URL: when it has expired, no browser and no client goes on.
import { connect } from 'node:tls'
import type { Config } from '../config.ts'
import type { Finding } from './finding.ts'

const check = 'certificate'
const CONNECT_MS = 5000
const DAY_MS = 86_400_000
/** Certificates that renew themselves have done so by then. */
const WARN_DAYS = 14
const ADVICE = 'renew it, and reload the proxy that has it; see why its automatic renewal did not'

export function judgeCertificate(host: string, validTo: Date, now: Date): Finding {
  const days = (validTo.getTime() - now.getTime()) / DAY_MS
  const until = validTo.toISOString()
  if (days < 0)
    return { check, status: 'fail', detail: `the certificate of ${host} expired at ${until}`, advice: ADVICE }
  const detail = `the certificate of ${host} is valid until ${until}`
  return days < WARN_DAYS
    ? { check, status: 'warn', detail, advice: ADVICE }
    : { check, status: 'ok', detail }
}

/** @returns until when it is valid. @throws where nothing answers by TLS */
function validTo({ hostname, port }: URL): Promise<Date> {
  return new Promise((resolve, reject) => {
    const options = { host: hostname, port: Number(port) || 443, servername: hostname, timeout: CONNECT_MS }
    // What it says is wanted, also of one that is not trusted.
    const socket = connect({ ...options, rejectUnauthorized: false }, () => {
      resolve(new Date(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${CONNECT_MS / 1000} s`)))
  })
}

/** Nothing for a service without https. */
export async function checkCertificate({ baseUrl }: Pick<Config, 'baseUrl'>, now: Date): Promise<Finding[]> {
  const url = new URL(baseUrl)
  if (url.protocol !== 'https:') return []
  try {
    return [judgeCertificate(url.host, await validTo(url), now)]
  } catch (error) {
    // Many networks do not let a machine reach its own public address.
    const why = error instanceof Error ? error.message : String(error)
    return [{ check, status: 'ok', detail: `${url.host} could not be asked from this machine: ${why}` }]
  }
}

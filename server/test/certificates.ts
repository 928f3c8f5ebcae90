// Makes certificates for tests without a library: X.509 in DER (RFC 5280), signed with ECDSA on P-256.
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { machineNow } from './start-time.ts'

/** Key and certificate of a TLS server, in PEM. */
export interface Certificate {
  key: string
  cert: string
}

export interface CertificateOptions {
  /** The names and IPv4 addresses in the certificate. */
  names: readonly string[]
  from?: Date
  to?: Date
}

export interface Authority {
  /** The certificate that clients must trust, in PEM. */
  cert: string
  issue(options: CertificateOptions): Certificate
}

const TAG = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, text: 0x0c, time: 0x17, sequence: 0x30 }

function der(tag: number, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  const long = content.length > 0xff ? [0x82, content.length >> 8] : content.length > 0x7f ? [0x81] : []
  return Buffer.concat([Buffer.of(tag, ...long, content.length & 0xff), content])
}
const sequence = (...contents: Buffer[]) => der(TAG.sequence, ...contents)
const oid = (hex: string) => der(TAG.oid, Buffer.from(hex, 'hex'))
const TRUE = Buffer.of(0x01, 0x01, 0xff)

// ecdsa-with-SHA256, commonName, subjectAltName, basicConstraints
const ALGORITHM = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = oid('550403')
const ALTERNATIVE_NAMES = oid('551d11')
const CONSTRAINTS = oid('551d13')

const nameOf = (name: string) => sequence(der(0x31, sequence(COMMON_NAME, der(TAG.text, Buffer.from(name)))))
const alternativeName = (name: string) =>
  isIPv4(name) ? der(0x87, Buffer.from(name.split('.').map(Number))) : der(0x82, Buffer.from(name))
/** 2026-11-21T15:00:00.000Z → 261121150000Z */
const time = (date: Date) =>
  der(TAG.time, Buffer.from(`${date.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))

const DAY_MS = 86_400_000
/** By the clock of the machine, which the TLS library uses. */
export const inDays = (days: number) => new Date(machineNow() + days * DAY_MS)

interface Parts {
  issuer: string
  subject: string
  publicKey: KeyObject
  extensions: Buffer
  from?: Date | undefined
  to?: Date | undefined
}

function certify(parts: Parts, issuerKey: KeyObject): string {
  const serial = randomBytes(8)
  serial[0] = 0x01
  const content = sequence(
    der(0xa0, der(TAG.integer, Buffer.of(2))),
    der(TAG.integer, serial),
    ALGORITHM,
    nameOf(parts.issuer),
    sequence(time(parts.from ?? inDays(-1)), time(parts.to ?? inDays(30))),
    nameOf(parts.subject),
    parts.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(parts.extensions)),
  )
  const signature = der(TAG.bits, Buffer.of(0), sign('sha256', content, issuerKey))
  const lines = sequence(content, ALGORITHM, signature).toString('base64').replace(/.{64}/g, '$&\n')
  return `-----BEGIN CERTIFICATE-----\n${lines.trimEnd()}\n-----END CERTIFICATE-----\n`
}

const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const namesExtension = (names: readonly string[]) =>
  sequence(ALTERNATIVE_NAMES, der(TAG.octets, sequence(...names.map(alternativeName))))

/** A new authority; no client trusts it unless configured to. */
export function createAuthority(): Authority {
  const { publicKey, privateKey } = keyPair()
  const issuer = `Test authority ${randomBytes(4).toString('hex')}`
  const extensions = sequence(CONSTRAINTS, TRUE, der(TAG.octets, sequence(TRUE)))
  return {
    cert: certify({ issuer, subject: issuer, publicKey, extensions }, privateKey),
    issue({ names, from, to }) {
      const own = keyPair()
      const parts = { issuer, subject: 'Test server', publicKey: own.publicKey, from, to }
      return {
        key: pem(own.privateKey),
        cert: certify({ ...parts, extensions: namesExtension(names) }, privateKey),
      }
    },
  }
}

export function selfSigned({ names, from, to }: CertificateOptions): Certificate {
  const { publicKey, privateKey } = keyPair()
  const parts = { issuer: 'Test server', subject: 'Test server', publicKey, from, to }
  return { key: pem(privateKey), cert: certify({ ...parts, extensions: namesExtension(names) }, privateKey) }
}

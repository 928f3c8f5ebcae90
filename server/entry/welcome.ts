// What a person sees after npm start: where everything is, and later the links of messages that are not sent.
import type { Context } from '../context.ts'
import { describeAddress } from '../db/explain.ts'
import type { Mail } from '../mail/message.ts'

export const addressLines = ({
  databaseUrl,
  dataDir,
  baseUrl: base,
}: Pick<Context['config'], 'databaseUrl' | 'dataDir' | 'baseUrl'>): string[] => [
  '',
  `  Rapport is running at   ${base}`,
  `  Dashboard               ${base}`,
  `  API                     ${base}/api/v1`,
  `  API reference           ${base}/docs`,
  `  API document (OpenAPI)  ${base}/api/v1/openapi.json`,
  ...(databaseUrl ? [`  Database                ${describeAddress(databaseUrl)}`] : []),
  `  Data folder             ${dataDir}`,
  '',
]

/** Prints that a process which answers no requests has started. @param address for probes */
export const announceWorker = (address: string): void =>
  void process.stdout.write(
    `\n  Rapport does background work\n  Health and metrics      ${address}/healthz, /readyz, /metrics\n\n`,
  )

/**
 * Prints the addresses, on stdout, then makes and shows the demo organization where the configuration asks for it.
 * Without a demo the service is as good as with one: a failure is only reported.
 * @param makeDemo makes and shows it, given the address of the service
 */
export async function announceStart(
  { config, log }: Pick<Context, 'config' | 'log'>,
  makeDemo: (base: string) => Promise<void>,
): Promise<void> {
  process.stdout.write(`${addressLines(config).join('\n')}\n`)
  if (!config.demo) return
  await makeDemo(config.baseUrl).catch((err) => {
    log.error({ err }, 'the demo organization could not be created')
  })
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/
const LINK = /^https?:\/\/\S+$/

/** Those of accounts have a link on a separate line. @returns '' for a message without one */
const keptMailLines = ({ to, subject, text, organizationId }: Mail): string => {
  const link = organizationId === undefined && text.split('\n').find((line) => LINK.test(line))
  return link ? `\n  Message to ${to}: ${subject}\n  ${link}\n\n` : ''
}

/**
 * Where no SMTP server is configured, messages are kept. With an address of this machine the person at the browser is
 * probably the one who ran npm start, and finds the links of messages on its stdout.
 */
export function showKeptMail(
  { config, mailer }: Pick<Context, 'config' | 'mailer'>,
  write: (text: string) => void = (text) => void process.stdout.write(text),
): void {
  if (LOOPBACK.test(new URL(config.baseUrl).hostname)) mailer.onKept((mail) => write(keptMailLines(mail)))
}

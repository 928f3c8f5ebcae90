// BASE_URL, with which links in emails begin: whether recipients can follow them.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { errorCode } from '../../base/error-code.ts'
import type { Config } from '../../config/config.ts'
import type { Finding } from './finding.ts'

const check = 'base url'
const THIS_MACHINE = /^(localhost|127(\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/

/** @param lookedUp the error code of looking up its name; undefined: the name was found, or is an address */
export function judgeBaseUrl(
  { production, baseUrl }: Pick<Config, 'production' | 'baseUrl'>,
  lookedUp: string | undefined,
): Finding[] {
  const { hostname } = new URL(baseUrl)
  if (lookedUp !== undefined)
    return [
      {
        ...{ check, status: 'warn' },
        detail: `links in emails begin with ${baseUrl}, and the name ${hostname} cannot be found from this machine (${lookedUp})`,
        advice: `correct BASE_URL, or the DNS of this machine (getent hosts ${hostname})`,
      },
    ]
  if (!production || !THIS_MACHINE.test(hostname)) return []
  return [
    {
      ...{ check, status: 'warn' },
      detail: `links in emails begin with ${baseUrl}, which other machines cannot open`,
      advice: 'set BASE_URL to the address that people and programs use, such as https://crm.example.com',
    },
  ]
}

export async function checkBaseUrl(config: Pick<Config, 'production' | 'baseUrl'>): Promise<Finding[]> {
  const { hostname } = new URL(config.baseUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  const lookedUp = isAddress
    ? undefined
    : await lookup(hostname).then(
        () => undefined,
        (error: unknown) => errorCode(error) ?? String(error),
      )
  return judgeBaseUrl(config, lookedUp)
}

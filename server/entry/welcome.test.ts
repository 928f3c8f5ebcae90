import { expect, test } from 'vitest'
import { verificationMail } from '../identity/mails.ts'
import type { Mail } from '../mail/message.ts'
import { composeMail } from '../mail/message.ts'
import { addressLines, showKeptMail } from './welcome.ts'

const URL_OF_LINK = 'http://127.0.0.1:3000/verify-email?token=abc'
const mail = verificationMail({ name: 'Ada', email: 'ada@example.com' }, URL_OF_LINK)

test('addressLines shows an external database and the data folder separately', () => {
  const config = { dataDir: '/srv/data', baseUrl: 'http://127.0.0.1:3000' }
  const databaseUrl = 'postgres://rapport:secret@db.example.com/crm'
  const lines = addressLines({ ...config, databaseUrl })
  expect(lines).toContain('  Database                crm at db.example.com:5432')
  expect(lines).toContain('  Data folder             /srv/data')
  expect(lines.join()).not.toContain('secret')
  expect(addressLines({ ...config, databaseUrl: undefined }).join()).not.toContain('Database ')
})

/** The text that a service at `baseUrl` prints for kept messages. */
function written(baseUrl: string, ...mails: Mail[]): string {
  const texts: string[] = []
  const onKept = (listener: (kept: Mail) => void) => {
    for (const one of mails) listener(one)
  }
  const ctx = { config: { baseUrl }, mailer: { onKept } } as unknown as Parameters<typeof showKeptMail>[0]
  showKeptMail(ctx, (text) => texts.push(text))
  return texts.join('')
}

test.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:3000'])(
  'a service at %s prints the links of kept messages',
  (baseUrl) => {
    expect(written(baseUrl, mail)).toBe(
      `\n  Message to ada@example.com: Confirm your email address for Rapport\n  ${URL_OF_LINK}\n\n`,
    )
  },
)

test.each(['https://crm.example.com', 'http://localhost.example.com', 'http://10.0.0.1:3000'])(
  'a service at %s prints no links',
  (baseUrl) => {
    expect(written(baseUrl, mail)).toBe('')
  },
)

test('prints no messages of organizations and no messages without a link', () => {
  const plain = composeMail({ to: 'ada@example.com', subject: 'Hello', before: ['No link'], after: [] })
  const organizationId = '0198c0de-0000-7000-8000-000000000001'
  expect(written('http://localhost', plain, { ...mail, organizationId })).toBe('')
})
